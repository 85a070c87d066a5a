package compile

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The folder begins with an underscore because its packages belong to the workspace of a build, not to this module.
//
//go:embed _guest
var guest embed.FS

const guestDir = "_guest"

// guestMain returns the main package of a program's guest. All SDK packages share main.go.tmpl. The guest.tmpl of an
// SDK package contains the code that makes a State from an instance and sets it to a decision.
func guestMain(name string) string {
	t := template.Must(template.ParseFS(guest, guestDir+"/main.go.tmpl"))
	var b strings.Builder
	if err := template.Must(t.ParseFS(sdk.Texts, name+"/guest.tmpl")).Execute(&b, name); err != nil {
		panic(fmt.Sprintf("compile: guest of SDK package %s: %v", name, err)) // the templates are part of this program
	}
	return b.String()
}
