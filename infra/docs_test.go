package infra_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted is code in Markdown text.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// placeholder is a name for the reader to choose, such as NAME.
var placeholder = regexp.MustCompile(`[A-Z]{4,}`)

// TestDocsNameFiles: every path of the code in the documents exists. A path is relative to the repository, to
// internal/ or to the folder of the path before it; {a,b} stands for several, and * and words in capitals stand for
// any name.
func TestDocsNameFiles(t *testing.T) {
	for _, doc := range []string{"ARCHITECTURE.md", "RATIONALE.md", "docs/new-problem.md", "docs/same-bytes.md"} {
		text, err := os.ReadFile("../" + doc)
		if err != nil {
			t.Fatal(err)
		}
		found, folder := 0, "."
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			for _, path := range alternatives(m[1]) {
				if !isPath(path) {
					continue
				}
				found++
				at := where(path, folder)
				if at == "" {
					t.Errorf("%s names %s, which is not there", doc, path)
					continue
				}
				folder = filepath.Dir(at)
			}
		}
		if found == 0 {
			t.Errorf("%s names no file", doc)
		}
	}
}

// isPath reports whether a text is the path of a file or folder of the code, and not a function or a command line.
func isPath(code string) bool {
	if strings.ContainsAny(code, " …=()<>$\"'|:") || strings.Contains(code, "github.com") {
		return false
	}
	for _, end := range []string{".go", ".md", ".sh", ".py", ".yaml"} {
		if strings.HasSuffix(code, end) {
			return true
		}
	}
	return strings.HasPrefix(code, "internal/") || strings.HasPrefix(code, "wasm-heuristics/") ||
		strings.HasSuffix(code, "/") && !strings.HasPrefix(code, ".")
}

// where returns the path that a name in a document refers to, or nothing.
func where(path, folder string) string {
	if !strings.HasSuffix(path, ".md") {
		path = placeholder.ReplaceAllString(path, "*")
	}
	for _, root := range []string{"..", "../internal", "../wasm-heuristics", folder} {
		if found, _ := filepath.Glob(filepath.Join(root, path)); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// alternatives returns a/x/c and a/y/c for a/{x,y}/c.
func alternatives(path string) []string {
	before, rest, ok := strings.Cut(path, "{")
	inside, after, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return []string{path}
	}
	var all []string
	for one := range strings.SplitSeq(inside, ",") {
		if one != "…" {
			all = append(all, before+one+after)
		}
	}
	return all
}
