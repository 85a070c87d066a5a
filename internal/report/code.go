package report

import (
	"go/scanner"
	"go/token"
	"strings"
)

// span is a piece of source with its CSS class, "" for plain text.
type span struct{ Class, Text string }

// highlight cuts Go source into keywords, comments, literals and the rest. Joined, the spans are the source
// whatever it holds; text the scanner cannot read stays plain.
func highlight(src string) []span {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var spans []span
	at := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		class := classOf(tok)
		from := file.Offset(pos)
		if class == "" || from < at || !strings.HasPrefix(src[from:], lit) {
			continue
		}
		if from > at {
			spans = append(spans, span{"", src[at:from]})
		}
		at = from + len(lit)
		spans = append(spans, span{class, src[from:at]})
	}
	return append(spans, span{"", src[at:]})
}

func classOf(tok token.Token) string {
	switch {
	case tok.IsKeyword():
		return "kw"
	case tok == token.COMMENT:
		return "cm"
	case tok == token.INT, tok == token.FLOAT, tok == token.CHAR, tok == token.STRING:
		return "lit"
	}
	return ""
}
