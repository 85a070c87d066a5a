package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/llm"
)

// Entry is one request of a run with what came back: an answer, or the server's refusal of the prompt.
type Entry struct {
	Key     string      `json:"key"` // of the request, see llm.Request.Key
	Request llm.Request `json:"request"`
	Answer  llm.Answer  `json:"answer,omitzero"`
	Refusal string      `json:"refusal,omitempty"` // the text of llm.Error; empty where there is an answer
}

// Write writes entries, compressed by gzip if zip is set. It sorts them by role, by prompt and by what came back, and
// writes equal ones once. An answer that was itself replayed is written as the model gave it.
func Write(w io.Writer, entries []Entry, zip bool) error {
	out := slices.Clone(entries)
	for i := range out {
		out[i].Answer.Replayed = false
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(a.Request.Role, b.Request.Role), cmp.Compare(a.Request.User, b.Request.User),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Answer.Model, b.Answer.Model), cmp.Compare(a.Refusal, b.Refusal),
		)
	})
	to, end := w, func() error { return nil }
	if zip {
		z := gzip.NewWriter(w) // its header holds no time and no name
		to, end = z, z.Close
	}
	lines := json.NewEncoder(to)
	lines.SetEscapeHTML(false) // code stays readable
	for _, e := range slices.Compact(out) {
		if err := lines.Encode(e); err != nil {
			return err
		}
	}
	return end()
}

// maxText is how many bytes of text an archive may have, unpacked: ten times what the paper's longest run needs.
const maxText = 1 << 30

// Read reads what Write wrote, compressed or not. It fails, naming the line, on a line that is no entry, and on one
// whose request has another key than it says: either somebody changed it, or another version of EPB asked it.
func Read(r io.Reader) ([]Entry, error) { return readBounded(r, maxText) }

// readBounded reads an archive of at most so many bytes of text.
func readBounded(r io.Reader, most int64) ([]Entry, error) {
	from := bufio.NewReader(r)
	var text io.Reader = from
	if magic, _ := from.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, err
		}
		text = z
	}
	var entries []Entry
	limited := &io.LimitedReader{R: text, N: most}
	lines := json.NewDecoder(limited)
	lines.DisallowUnknownFields()
	for n := 1; ; n++ {
		var e Entry
		switch err := lines.Decode(&e); {
		case limited.N == 0:
			return nil, fmt.Errorf("it has more than %d bytes of text", most)
		case errors.Is(err, io.EOF):
			return entries, nil
		case err != nil:
			return nil, fmt.Errorf("line %d is none that epb llm archive wrote: %w", n, err)
		case e.Key != e.Request.Key():
			return nil, fmt.Errorf("line %d: the request's key is not %.8s: the line was changed, or another version "+
				"of EPB asked this", n, e.Key)
		case e.Refusal == "" && e.Answer.Model == "":
			return nil, fmt.Errorf("line %d: request %.8s has no answer", n, e.Key)
		}
		entries = append(entries, e)
	}
}

// Save writes entries to a new file, compressed if its name ends with .gz. It fails if there is a file of that name.
func Save(path string, entries []Entry) error {
	var text bytes.Buffer
	if err := Write(&text, entries, strings.HasSuffix(path, ".gz")); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Load reads an archive's file. It fails on one without entries.
func Load(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := Read(f)
	if err == nil && len(entries) == 0 {
		err = errors.New("it has no entries")
	}
	if err != nil {
		return nil, fmt.Errorf("archive %s: %w", path, err)
	}
	return entries, nil
}
