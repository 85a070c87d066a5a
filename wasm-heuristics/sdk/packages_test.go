package sdk_test

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestPackagesHaveFolders: a package is described for each folder, and each folder holds what its package needs.
func TestPackagesHaveFolders(t *testing.T) {
	folders, err := fs.ReadDir(sdk.Sources, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(sdk.Packages) {
		t.Errorf("%d folders, %d packages", len(folders), len(sdk.Packages))
	}
	for _, p := range sdk.Packages {
		for _, file := range []string{"guest.tmpl", "prompts.tmpl"} {
			if _, err := fs.Stat(sdk.Texts, p.Name+"/"+file); err != nil {
				t.Error(err)
			}
		}
		if _, err := fs.Stat(sdk.Sources, p.Name+"/doc.go"); err != nil {
			t.Error(err)
		}
	}
}

// TestSigns: what tells a category must be a name of the package's State, or nothing would ever fall into it. A name
// that tells one of another package's programs must tell it of this package's too.
func TestSigns(t *testing.T) {
	for _, p := range sdk.Packages {
		var source []byte
		files, err := fs.Glob(sdk.Sources, p.Name+"/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(sdk.Sources, file)
			if err != nil {
				t.Fatal(err)
			}
			source = append(source, text...)
		}
		for _, category := range sdk.Categories {
			for _, name := range category.Signs() {
				member := `\nfunc \(s \*State\) ` + name + `\(|\n\t` + name + `[ ,]`
				is, want := slices.Contains(p.Signs[category], name), regexp.MustCompile(member).Match(source)
				if is != want {
					t.Errorf("%s: %s tells that a program is %s: %v, want %v", p.Name, name, category, is, want)
				}
			}
		}
	}
}

// TestPackagesInOrder: of the packages that Deciding chooses from, the one that shows most comes first, and packages of
// one kind of decision have one number.
func TestPackagesInOrder(t *testing.T) {
	for i, p := range sdk.Packages {
		for _, q := range sdk.Packages[i+1:] {
			same := p.Problem == q.Problem && p.ViaDepot == q.ViaDepot
			if same && !p.View.Shows(q.View) {
				t.Errorf("%s comes before %s, which shows more", p.Name, q.Name)
			}
			if same != (p.Kind == q.Kind) {
				t.Errorf("%s has kind %d, %s has %d", p.Name, p.Kind, q.Name, q.Kind)
			}
		}
	}
}

func TestFind(t *testing.T) {
	var problems, views []string
	for _, p := range sdk.Packages {
		problems, views = append(problems, string(p.Problem)), append(views, string(p.View))
	}
	for _, c := range []struct {
		problem routing.Problem
		view    routing.View
		want    string
		err     string
	}{
		{routing.TSP, routing.Full, "tsp", ""},
		{routing.CVRP, routing.Subgraph, "subcvrp", ""},
		{"tps", routing.Full, "", `problem "tps", want ` + sdk.OneOf(problems)},
		{routing.TSP, "half", "", `view "half", want ` + sdk.OneOf(views)},
	} {
		p, err := sdk.Find(c.problem, c.view)
		if p.Name != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s, %s: %q, %v, want %q, %s", c.problem, c.view, p.Name, err, c.want, c.err)
		}
	}
}

func TestOneOf(t *testing.T) {
	for want, words := range map[string][]string{
		"tsp": {"tsp"}, "tsp or cvrp": {"tsp", "tsp", "cvrp", "cvrp"}, "tsp, op or cvrp": {"tsp", "op", "tsp", "cvrp"},
	} {
		if got := sdk.OneOf(words); got != want {
			t.Errorf("%v: %q, want %q", words, got, want)
		}
	}
}

func TestDeciding(t *testing.T) {
	for _, c := range []struct {
		problem  routing.Problem
		viaDepot bool
		want     string
	}{
		{routing.TSP, false, "tsp"}, {routing.CVRP, false, "cvrp"},
		{routing.CVRP, true, "subcvrp"}, {routing.TSP, true, ""},
	} {
		p, err := sdk.Deciding(c.problem, c.viaDepot)
		if p.Name != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s, by way of the depot %v: %q, %v, want %q", c.problem, c.viaDepot, p.Name, err, c.want)
		}
	}
}
