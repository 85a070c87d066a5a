package textgrad

import "testing"

// TestLeanLeavesTablesOfAModel: a critic may quote a table of picks in its reply, which stands in later prompts, with
// more or fewer cells than its heading.
func TestLeanLeavesTablesOfAModel(t *testing.T) {
	for _, text := range []string{
		"| choice | distance |\n|---|---|\n| program 1 | 0.2 | 0.3 |\n",
		"| choice | distance |\n|---|---|\n| program 1 |\n| teacher 2 | 0.2 |",
		"| choice |\n|---|---|\n| program 1 | 0.2 |\n| teacher 2 | 0.2 |\n",
	} {
		if got := lean(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	const whole = "| choice | distance | rank |\n|---|---|---|\n| program 1 | 0.2 | 1 |\n| teacher 2 | 0.2 | 2 |\n"
	const want = "| choice | rank |\n|---|---|\n| program 1 | 1 |\n| teacher 2 | 2 |\n"
	if got := lean(whole); got != want {
		t.Errorf("%q became %q, want %q", whole, got, want)
	}
}
