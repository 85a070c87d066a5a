package compile

import (
	"context"
	"fmt"
	"go/ast"
	"strconv"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// A traced program notes the line of each statement before it runs it, so that a crash can name it. It is slower, and
// is only built to find where a program crashes.

// reasonBits is how many bits of the guest's word for the reason of a trap hold the reason. A traced program notes its
// line in the others.
const reasonBits = 2

// Reason returns why a guest trapped and, of a traced program, at which line of its source, else 0.
func Reason(word uint32) (reason uint32, line int) {
	return word & (1<<reasonBits - 1), int(word >> reasonBits)
}

// BuildTraced is Build of a program that notes its lines.
func (t *Toolchain) BuildTraced(ctx context.Context, src string) ([]byte, error) {
	return t.compiled(ctx, src, true)
}

// lineNotes returns the edits that note the line before each statement. lines are those of the source that the unit's
// lines were, nil if they are the same.
func lineNotes(u source.Unit, lines []int) (notes source.Edits) {
	note := func(list []ast.Stmt) {
		for _, s := range list {
			line, at := u.Line(s), u.Offset(s.Pos())
			if line <= len(lines) {
				line = lines[line-1]
			}
			call := fmt.Sprintf("%sAt(%d);", heuristic.Reserved, line<<reasonBits)
			notes = append(notes, source.Edit{From: at, To: at, Text: call})
		}
	}
	ast.Inspect(u.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if !ofClauses(n) {
				note(n.List)
			}
		case *ast.CaseClause:
			note(n.Body)
		}
		return true
	})
	return notes
}

// ofClauses reports whether a block is that of a switch.
func ofClauses(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[0].(*ast.CaseClause)
	return ok
}

// tracer returns the source of the file that defines epbAt in package name. The store is volatile: it stays before what
// may crash.
func tracer(name string) string {
	stop, volatile := heuristic.Reserved+"Stop", heuristic.Reserved+"Volatile"
	return "package " + name + "\n\nimport (\n\t" + stop + " " + strconv.Quote(module+"/guest/stop") + "\n\t" +
		volatile + " \"runtime/volatile\"\n)\n\n" +
		"func " + heuristic.Reserved + "At(line uint32) { " + volatile + ".StoreUint32(&" + stop + ".Reason, line) }\n"
}
