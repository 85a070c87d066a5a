package heuristic

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"
)

// MaxSource is the size limit of a program in bytes.
const MaxSource = 32 << 10

// maxRouter is the size limit of a router in bytes. EPB writes it, with a comment for each of its many terms.
const maxRouter = 128 << 10

// maxNesting is the largest number of open brackets. The time and memory of parser and compiler grow faster than the
// nesting.
const maxNesting = 64

// maxDepth is the largest depth of a program's syntax tree. A long row of operators, selectors or else makes a deep
// tree without brackets.
const maxDepth = 4096

// limits refuses a text that would take too long to read. It only scans the text, because parsing may take long.
func limits(src string, size int) error {
	if len(src) > size {
		msg := fmt.Sprintf("the file has %d bytes, the limit is %d: write a shorter program", len(src), size)
		return Refusal(StageCheck, 0, msg)
	}
	if strings.IndexByte(src, 0) >= 0 || !utf8.ValidString(src) {
		return Refusal(StageParse, 0, "the file is no UTF-8 text")
	}
	if i := strings.IndexFunc(src, turns); i >= 0 {
		const hidden = "an invisible character (%U) turns the direction of the text, " +
			"which then is not read as it runs: remove it"
		r, _ := utf8.DecodeRuneInString(src[i:])
		return Refusal(StageCheck, 1+strings.Count(src[:i], "\n"), fmt.Sprintf(hidden, r))
	}
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), nil, 0)
	for open := 0; ; {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if open++; open > maxNesting {
				const much = "more than %d brackets are open here: take inner parts out into functions"
				return Refusal(StageCheck, file.Line(pos), fmt.Sprintf(much, maxNesting))
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = max(0, open-1)
		}
	}
}

// turns reports whether a character changes the direction of the text after it. In a comment it makes a page show a
// program in another order than the compiler reads it in.
func turns(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// depth refuses a tree that is too deep.
func (c *checker) depth(file *ast.File) {
	depth := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if depth++; depth == maxDepth {
			c.refuse(n, "this goes on for more than %d operators, selectors or branches: "+
				"write a loop, or use variables", maxDepth)
		}
		return true
	})
}
