package player_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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
		if K > 1 {
			s.Terms = &explain.Terms{Other: int32(at + 1), Scores: [2]float32{-0.1234, -0.2345}}
			for _, name := range []string{"isolation", "wayHome", "detour", "crowding", "lateness"} {
				w := explain.TermOfWeight{Name: name, Values: [2]float32{0.1234, -0.04321}}
				s.Terms.Weights = append(s.Terms.Weights, w)
			}
		}
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
	if err := player.HTML(&b, player.Deck{Explanations: all}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page holds every explanation, with probabilities in parts of a whole, whatever names and sources hold. The
// student is in it once.
func TestDataRoundTrips(t *testing.T) {
	e, longer := trimmed(), made(14, 3)
	longer = longer.Trim(5)
	page := html(t, e, longer)
	data := regexp.MustCompile(`(?s)data-explanations>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	if len(data) != 1 {
		t.Fatalf("%d data in the page", len(data))
	}
	var got struct {
		Student      explain.Student
		Explanations []explain.Explanation
	}
	if err := json.Unmarshal([]byte(data[0][1]), &got); err != nil {
		t.Fatal(err)
	}
	of := func(whole float64, all ...[]float32) { // undoes parts
		for _, p := range all {
			for i, v := range p {
				p[i] = float32(float64(v) / whole)
			}
		}
	}
	for i, want := range []explain.Explanation{e, longer} {
		for k := range got.Explanations[i].Steps {
			s := &got.Explanations[i].Steps[k]
			of(1e3, append([][]float32{s.Student, s.Teacher}, s.Programs...)...)
			of(1e4, s.Weights)
		}
		if !reflect.DeepEqual(got.Explanations[i].Student, explain.Student{}) {
			t.Errorf("explanation %d has a student of its own", i)
		}
		if got.Explanations[i].Student = got.Student; !reflect.DeepEqual(got.Explanations[i], want) {
			t.Errorf("the page holds %+v, want %+v", got.Explanations[i], want)
		}
	}
}

// A page with a solver holds its bytes and the place where the reader gives nodes. One without says why.
func TestSolverInPage(t *testing.T) {
	wasm := make([]byte, 256)
	for i := range wasm {
		wasm[i] = byte(i)
	}
	d := player.Deck{Explanations: []explain.Explanation{trimmed()}, Solver: wasm}
	page, err := player.Section("p", d)
	if err != nil {
		t.Fatal(err)
	}
	held := regexp.MustCompile(`data-solver>([^<]*)<`).FindStringSubmatch(string(page))
	if held == nil {
		t.Fatal("the page has no solver")
	}
	if got, err := base64.StdEncoding.DecodeString(held[1]); err != nil || !bytes.Equal(got, wasm) {
		t.Errorf("the page holds %v: %v", got, err)
	}
	d.Solver, d.NoSolver = nil, "its router is attention"
	if page, err = player.Section("p", d); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page), "data-own-board") ||
		!strings.Contains(string(page), "This page solves no nodes of your own: its router is attention.") {
		t.Error("the page without a solver does not say why")
	}
}

// A customer may demand nothing, as in package instances, but a vehicle holds something.
func TestLeastDemand(t *testing.T) {
	e := trimmed()
	e.Problem = routing.CVRP
	page, err := player.Section("p", player.Deck{Explanations: []explain.Explanation{e}, Solver: []byte("none")})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`min="0" value="1" data-own-demand`, `min="1" value="1" data-own-capacity`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no field %s", want)
		}
	}
}

// A player is of one student.
func TestTwoStudents(t *testing.T) {
	for name, d := range map[string]player.Deck{
		"by another student": {Explanations: []explain.Explanation{made(5, 3), made(5, 2)}},
		"no explanation":     {},
		"2 colours":          {Explanations: []explain.Explanation{made(5, 3)}, Colours: []string{"h0", "h1"}},
	} {
		if _, err := player.Section("p", d); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
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
		"made 11 decisions on", "9 went to the nearest", "by less than a point at 2 steps.",
		"chosen otherwise at 3 steps.", "tie with HB", "All steps as a table", "func (s *State) Distance",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "func (s *State) Distance"); n != 1 {
		t.Errorf("a function that 3 programs call is there %d times, want once", n)
	}
	if n := strings.Count(page, ` data-row="`); n != 11 {
		t.Errorf("%d rows, want 11", n)
	}
	if n := strings.Count(page, `class="way tied `); n != 2 {
		t.Errorf("%d ties are drawn in two colours, want 2", n)
	}
}

// Along the teacher's solution no program has an edge at which the student would go elsewhere.
func TestAlongTheTeacher(t *testing.T) {
	e := made(12, 3)
	e.Along = true
	page := html(t, e)
	said := strings.Join(strings.Fields(page), " ")
	for _, want := range []string{
		"pomo made 11 decisions on", "it would have chosen otherwise at 3 steps.", "The teacher's solution costs",
		`<th scope="col">Student</th>`, "or the student would go elsewhere.", `"along_teacher":true`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, `class="way forced"`); n != 4 { // three, and the edge that closes the tour
		t.Errorf("%d edges have no colour, want 4", n)
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

// browse opens a page in a browser, runs a script at its end, and returns what the script says to seen: a function
// that takes a text. It skips the test where no browser is found.
func browse(t *testing.T, page, script string) string {
	t.Helper()
	browser := os.Getenv("EPB_TEST_BROWSER")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium here: install it, or name its program in EPB_TEST_BROWSER")
	}
	script = "<script>const seen = text => fetch('/seen', { method: 'POST', body: text });" +
		"addEventListener('error', e => seen(e.message));" + script + "</script></body>"
	page = strings.Replace(page, "</body>", script, 1)
	// The page says what was seen to a server: builds of Chromium that print no page (--dump-dom) can do so, too.
	said := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			_, _ = io.WriteString(w, page)
		} else if text, err := io.ReadAll(r.Body); err == nil {
			said <- string(text)
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	profile, err := os.MkdirTemp("", "epb-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(profile) }() // helper processes may still write there: no fault of the page
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+profile, server.URL)
	cmd.WaitDelay = time.Second // its helper processes may keep the pipe open
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	select {
	case text := <-said:
		return text
	case <-ended:
		t.Fatalf("%s ended before the script said what it saw", browser)
	}
	return ""
}

// In a browser, keys lead to the steps that they promise.
func TestKeys(t *testing.T) {
	// Each key with the step that is shown after it.
	keys := []struct {
		key  string
		step string
	}{
		{"ArrowRight", "Step 2:"}, {"n", "Step 3:"}, {"d", "Step 4:"}, {"p", "Step 5:"}, {"End", "Step 11:"},
		{"n", "Step 3:"}, {"Home", "Step 1:"}, {"ArrowLeft", "Step 1:"},
	}
	script := "let all = '';"
	for _, k := range keys {
		script += "document.querySelector('.player').dispatchEvent(new KeyboardEvent('keydown', {key: '" + k.key +
			"', bubbles: true}));all += document.querySelector('[data-title]').textContent + '|';"
	}
	titles := strings.Split(browse(t, html(t, trimmed()), script+"seen(all);"), "|")
	for i, k := range keys {
		if !strings.HasPrefix(titles[i], k.step) {
			t.Errorf("key %d, %s, shows %q, want %s", i, k.key, titles[i], k.step)
		}
	}
}

// In a browser, the reader chooses among solutions, and sees the steps of the one that was chosen.
func TestChoosing(t *testing.T) {
	longer := made(14, 3)
	got := browse(t, html(t, trimmed(), longer.Trim(5)), `
		const which = document.querySelector("[data-which]"), slider = document.querySelector("[data-slider]");
		let all = slider.max;
		which.value = 1;
		which.dispatchEvent(new Event("change"));
		seen(all + " " + slider.max + " " + document.querySelectorAll(".player-view:not([hidden])").length);`)
	if got != "10 12 1" {
		t.Errorf("the last steps, and how many solutions are seen: %s, want 10 12 1", got)
	}
}

// In a browser, the functions that the shown program calls are beside its code, and nodes are saved under a name that
// says in which format they are.
func TestFunctionsAndNodes(t *testing.T) {
	var page bytes.Buffer
	d := player.Deck{Explanations: []explain.Explanation{trimmed()}, Solver: []byte("not run here")}
	if err := player.HTML(&page, d); err != nil {
		t.Fatal(err)
	}
	got := browse(t, page.String(), `
		const find = selector => document.querySelector(selector), names = [];
		HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
		for (const text of ["0,0\n1,1\n", "NAME : own\nDIMENSION : 2\n"]) {
			find("[data-own-text]").value = text;
			find("[data-own-save]").click();
		}
		const beside = document.querySelectorAll("[data-program]:not([hidden]) [data-called] > details").length;
		const rest = document.querySelectorAll("[data-functions] > details").length;
		seen(names.join() + " " + (beside > 0) + " " + rest);`)
	if want := "your nodes.csv,your nodes.tsp true 0"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
}
