package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// written writes the folder of the student that goes to the nearest node, and returns one of its files.
func written(t *testing.T, sdk string, name string) (dir, text string) {
	t.Helper()
	files := nearest(t, sdk)
	wasm, err := export.Wasm(t.Context(), compiletest.Toolchain(t), files)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := (export.Folder{Student: files, Wasm: wasm, Program: []byte("program")}).Write(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return dir, string(data)
}

// The README's commands for matrices have the capacity that routes need, and it says what begins a solution.
func TestReadme(t *testing.T) {
	for sdk, want := range map[string][]string{
		"tsp": {"`./solver --matrix distances.csv`, a line", "The node that a tour begins at is no step"},
		"cvrp": {
			"`./solver --matrix distances.csv --capacity 100`, a line", "A first customer that was given is no step",
		},
	} {
		_, text := written(t, sdk, "README.md")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the README does not say %q:\n%s", sdk, w, text)
			}
		}
	}
}

// The page names its field, counts nodes in plain words, and solves from as few nodes as the solver does.
func TestPageSolves(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: the page is not run")
	}
	field := regexp.MustCompile(`<label>[^<]*\w[^<]*<input id="capacity"`)
	for sdk, want := range map[string]string{
		"tsp":  "0 nodes|1 node|2 nodes|3 nodes, length",
		"cvrp": "0 nodes|1 node|2 nodes, length|3 nodes, length",
	} {
		dir, page := written(t, sdk, "page.html")
		if sdk == "cvrp" && !field.MatchString(page) {
			t.Error("the field of the capacity has no text")
		}
		_, script, _ := strings.Cut(page, `<script type="module">`)
		script, _, found := strings.Cut(script, "</script>")
		if !found {
			t.Fatal("the page has no script")
		}
		path := filepath.Join(dir, "page.mjs")
		script = `
const parts = {}, part = () => ({
  value: "8", addEventListener(_, listener) { this.click = listener; }, setAttribute() {}, replaceChildren() {},
  append() {}, getBoundingClientRect: () => ({ left: 0, top: 0, width: 10, height: 10 }),
});
globalThis.document = { getElementById: (id) => parts[id] ??= part(), createElementNS: part };
` + script + `
const said = [out.textContent];
for (const place of [1, 4, 9]) {
  board.click({ clientX: place, clientY: place * place / 10 });
  said.push(out.textContent.replace(/length.*/, "length"));
}
console.log(said.join("|"));
`
		if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := exec.Command(node, path).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: the page says %s, want %s (%v)", sdk, got, want, err)
		}
	}
}
