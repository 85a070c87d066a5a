package report

// list is what a certificate finds, under a title.
type list struct {
	Title string
	Lines []string
}

// findings returns lines for the template "findings".
func findings(title string, lines []string) list { return list{title, lines} }
