package player_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/player"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
)

const source = `package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score is the distance, less is better </script><b>.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k)
	}
}
`

// made is an explanation of a tour of n nodes in their order by M programs, with random probabilities. The teacher
// parts in every third step, every fifth is a tie, and every fourth does not go to the nearest candidate.
func made(n, M int) explain.Explanation {
	random := rand.New(rand.NewPCG(1, 2))
	spread := func(K int) []float32 {
		p, sum := make([]float32, K), float32(0)
		for k := range p {
			p[k] = float32(math.Exp(3 * random.NormFloat64()))
			sum += p[k]
		}
		for k := range p {
			p[k] /= sum
		}
		return p
	}
	e := explain.Explanation{
		Version: explain.Version, Problem: routing.TSP, View: routing.Full, Teacher: "pomo",
		Start:    "The start was given.",
		Instance: explain.Instance{Name: "</script><b>made", First: 1, Rounding: "nothing is rounded", Span: 1},
	}
	for m := range M {
		e.Student.Programs = append(e.Student.Programs, explain.Program{
			Name: "near", Label: "H" + string(rune('A'+m)), Description: "The nearest.", Source: source, TauH: 0.1,
		})
	}
	for i := range n {
		x, y := random.Float32(), random.Float32()
		e.Instance.Seen = append(e.Instance.Seen, x, y)
		e.Instance.Coords = append(e.Instance.Coords, float64(x), float64(y))
		e.Actions = append(e.Actions, int32(i))
	}
	for at := 1; at < n; at++ {
		K := n - at
		s := explain.Step{
			From: int32(at - 1), Candidates: e.Actions[at:], Student: spread(K), Teacher: spread(K), Rank: 1,
			TeacherFirst: int32(at), Second: 1,
			Reasons: []readable.Term{{Says: "Late in the tour, trust who proposes isolated cities.", Weight: 0.5}},
		}
		s.Step, s.Action, s.Weights, s.Margin = at, int32(at), spread(M), 0.3
		s.Nearest = at%4 != 0
		if at%3 == 0 && K > 1 {
			s.TeacherFirst++
		}
		if at%5 == 0 {
			s.LeaderTie, s.Margin = true, 0.001
		}
		for range M {
			s.Programs, s.Firsts = append(s.Programs, spread(K)), append(s.Firsts, int32(at))
		}
		e.Steps = append(e.Steps, s)
	}
	return e
}

// trimmed is a small explanation as pages hold them.
func trimmed() explain.Explanation {
	e := made(12, 3)
	return e.Trim(5)
}

func html(t *testing.T, all ...explain.Explanation) string {
	t.Helper()
	var b bytes.Buffer
	if err := player.HTML(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page holds the explanation as it is, whatever names and sources hold.
func TestDataRoundTrips(t *testing.T) {
	e := trimmed()
	page := html(t, e, e)
	data := regexp.MustCompile(`(?s)data-explanation>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	if len(data) != 2 {
		t.Fatalf("%d explanations in the page", len(data))
	}
	var got explain.Explanation
	if err := json.Unmarshal([]byte(data[1][1]), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, e) {
		t.Errorf("the page holds %+v, want %+v", got, e)
	}
}

// Every element that is opened is closed in its place, and no text of the explanation becomes an element.
func TestPageParses(t *testing.T) {
	page := html(t, trimmed())
	if strings.Contains(page, "<b>") {
		t.Error("a name became an element")
	}
	void := []string{"meta", "link", "input", "br"}
	body := regexp.MustCompile(`(?s)(<(?:script|style)[^>]*>).*?(</(?:script|style)>)`).ReplaceAllString(page, "$1$2")
	var open []string
	for _, tag := range regexp.MustCompile(`<(/?)([a-zA-Z0-9]+)([^>]*)>`).FindAllStringSubmatch(body, -1) {
		switch {
		case slices.Contains(void, tag[2]) || strings.HasSuffix(tag[3], "/"):
		case tag[1] == "":
			open = append(open, tag[2])
		case len(open) == 0 || open[len(open)-1] != tag[2]:
			t.Fatalf("</%s> closes %v", tag[2], open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
	ids := regexp.MustCompile(` id="([^"]*)"`).FindAllString(page, -1)
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids appear twice: %v", ids)
	}
}

// The page names no address, so that nothing can be fetched.
func TestNoAddress(t *testing.T) {
	page := html(t, trimmed())
	for _, pattern := range []string{`//[a-z0-9]+\.[a-z]`, `\ssrc=`, `href="[^d#]`, `@import`, `url\(`, `fetch\(`,
		`XMLHttpRequest`, `WebSocket`} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
}

// Without scripts the page has the summary, every step, and a tie that is not drawn in one colour.
func TestStatic(t *testing.T) {
	page := html(t, made(12, 3))
	said := strings.Join(strings.Fields(page), " ")
	for _, want := range []string{
		"made 11 decisions on", "9 went to the nearest", "at 2 no program", "chosen otherwise at 3.", "tie with HB",
		"All steps as a table", "func (s *State) Distance",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, ` data-row="`); n != 11 {
		t.Errorf("%d rows, want 11", n)
	}
	if n := strings.Count(page, `class="way tied `); n != 2 {
		t.Errorf("%d ties are drawn in two colours, want 2", n)
	}
}

// A page with four tours of 500 nodes and 36 programs stays under 5 MB.
func TestSize(t *testing.T) {
	e := made(500, 36)
	e = e.Trim(player.Candidates)
	if page := html(t, e, e, e, e); len(page) > 5_000_000 {
		t.Errorf("%d bytes, want at most 5 MB", len(page))
	} else {
		t.Logf("%d bytes", len(page))
	}
}

// In a browser, keys lead to the steps that they promise.
func TestKeys(t *testing.T) {
	browser := os.Getenv("EPB_TEST_BROWSER")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium here: install it, or name its program in EPB_TEST_BROWSER")
	}
	// Each key with the step that is shown after it.
	keys := []struct {
		key  string
		step string
	}{
		{"ArrowRight", "Step 2:"}, {"n", "Step 3:"}, {"d", "Step 4:"}, {"p", "Step 5:"}, {"End", "Step 11:"},
		{"n", "Step 3:"}, {"Home", "Step 1:"}, {"ArrowLeft", "Step 1:"},
	}
	script := "<script>addEventListener('error', e => document.title += e.message);let all = '';"
	for _, k := range keys {
		script += "document.querySelector('.player').dispatchEvent(new KeyboardEvent('keydown', {key: '" + k.key +
			"', bubbles: true}));all += document.querySelector('[data-title]').textContent + '|';"
	}
	script += "document.body.dataset.seen = all;</script></body>"
	path := filepath.Join(t.TempDir(), "page.html")
	page := strings.Replace(html(t, trimmed()), "</body>", script, 1)
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	// Some builds of Chromium ignore --dump-dom and never end.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
		"--user-data-dir="+t.TempDir(), "file://"+path)
	cmd.WaitDelay = time.Second // its helper processes may keep the pipe open
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s printed no page by --dump-dom: %v", browser, err)
	}
	seen := regexp.MustCompile(`data-seen="([^"]*)"`).FindSubmatch(out)
	if seen == nil {
		t.Fatalf("the script did not run: %.300s", out)
	}
	titles := strings.Split(string(seen[1]), "|")
	for i, k := range keys {
		if !strings.HasPrefix(titles[i], k.step) {
			t.Errorf("key %d, %s, shows %q, want %s", i, k.key, titles[i], k.step)
		}
	}
}
