package main

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/epb-nco/epb/internal/terminal"
)

// printJSON prints JSON that is indented for a reader.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printText prints what show writes with unsafe characters escaped: programs and descriptions may come from anywhere.
func printText(w io.Writer, show func(io.Writer)) error {
	var text strings.Builder
	show(&text)
	_, err := io.WriteString(w, terminal.Text(text.String()))
	return err
}
