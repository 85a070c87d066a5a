package teacher

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// Teacher is a loaded solver. It is a routing.Policy and safe for concurrent use: each decoder has its own buffers.
type Teacher struct {
	name    string
	info    Info
	net     model
	trained int // nodes of the instances that it was trained on, a depot not counted; 0 if that is not known
}

// model is what decides: a network that points at nodes (AM, POMO), LEHD, or a search.
type model interface {
	describe(info *Info)
	encoder() *Encoder
	decoder() routing.Decoder
}

// The architectures of networks. LocalSearch is none of them.
const (
	AM   = "am"   // Kool et al. 2019
	POMO = "pomo" // Kwon et al. 2020
	LEHD = "lehd" // Luo et al. 2023
)

// Info describes a loaded teacher. The sizes are those of a network, and 0 of a search.
type Info struct {
	Arch          string          `json:"arch"` // AM, POMO, LEHD or LocalSearch
	Problem       routing.Problem `json:"problem"`
	Parameters    int             `json:"parameters"`               // numbers in the checkpoint's state dict
	Layers        int             `json:"layers"`                   // of the encoder
	DecoderLayers int             `json:"decoder_layers,omitempty"` // LEHD
	Dim           int             `json:"dim"`                      // embedding width
	FF            int             `json:"ff"`                       // hidden width of the encoder's feed-forward parts
	Heads         int             `json:"heads"`
	View          routing.View    `json:"view"` // what the model sees of a state
	// OwnStart: the model chooses its first node itself. Otherwise its own start is the first node or customer.
	OwnStart bool `json:"own_start"`
}

// Name returns architecture, problem and file, for example "pomo-tsp:tsp20_trained". A search has no file.
func (t Teacher) Name() string { return t.name }

// Info describes the teacher.
func (t Teacher) Info() Info { return t.info }

// TrainedNodes returns the nodes of the instances that the teacher was trained on, a depot not counted. It returns 0 if
// there is no args.json beside the checkpoint that says so.
func (t Teacher) TrainedNodes() int { return t.trained }

// Encoder returns the weights of the teacher's encoder, for a student that begins with them. It is nil of a search.
func (t Teacher) Encoder() *Encoder { return t.net.encoder() }

// Decoder implements routing.Policy. The decoder of a network is a routing.BatchDecoder.
func (t Teacher) Decoder() (routing.Decoder, error) { return t.net.decoder(), nil }

// ViaDepot returns a CVRP teacher. If joint, it decides on the next customer and the way there at once, as LEHD does,
// for a bank whose programs do the same (bank.Bank.ViaDepot). Its solutions stay the same. Its recorded distributions
// are over both: a customer by way of the depot has the probability to return there times that of the customer then.
// LEHD is returned unchanged.
func (t Teacher) ViaDepot(joint bool) Teacher {
	if net, ok := t.net.(*network); ok && joint {
		via := *net
		via.viaDepot = true
		t.net = &via
	}
	return t
}

// Load reads a checkpoint by its file or folder; see Open, File.Teacher and Parse.
func Load(path string) (Teacher, error) {
	file, err := Open(path)
	if err != nil {
		return Teacher{}, fmt.Errorf("load teacher: %w", err)
	}
	t, _, err := file.Teacher(file.Path)
	return t, err
}

// Parse reads a checkpoint, an original PyTorch file or safetensors, and recognises its architecture. name, a file
// name, goes into errors and into the teacher's name. The error says what is wrong: a damaged file, a pickle that
// contains code, an unknown architecture, or a tensor that is missing, has a wrong shape or is not used.
func Parse(name string, data []byte) (Teacher, error) {
	c, err := parse(data)
	if err != nil {
		return Teacher{}, fmt.Errorf("load teacher %s: %w", name, err)
	}
	a, err := recognise(c)
	if err != nil {
		return Teacher{}, fmt.Errorf("load teacher %s: %w", name, err)
	}
	net, err := a.build(c)
	if err != nil {
		return Teacher{}, fmt.Errorf("load teacher %s as %s: %w", name, a.title, err)
	}
	info := Info{Arch: a.name, Problem: a.problem, Parameters: c.total()}
	net.describe(&info)
	return Teacher{name: fmt.Sprintf("%s-%s:%s", a.name, a.problem, label(name)), info: info, net: net}, nil
}

// label returns a file name without its extension. For the original AM's tsp_50/epoch-99.pt it returns the name of the
// folder, which says more.
func label(name string) string {
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	folder := filepath.Base(filepath.Dir(name))
	if strings.HasPrefix(stem, "epoch-") && folder != "." && folder != string(filepath.Separator) {
		return folder
	}
	return stem
}

// errRollouts says what to do with a file of rollouts.
var errRollouts = errors.New("these are recorded rollouts, not a policy that can be asked about other instances: " +
	"want its checkpoint " +
	"(epb start --teacher distils rollouts as well, and epb bank check --shard judges programs by them)")

// recognise finds the architecture of a checkpoint.
func recognise(c *checkpoint) (*architecture, error) {
	if len(c.params) == 0 {
		return nil, fmt.Errorf(
			"no tensors found: want a state dict at top level or under model, model_state_dict or state_dict",
		)
	}
	for i := range architectures {
		a := &architectures[i]
		if slices.ContainsFunc(a.marks, func(mark string) bool { _, ok := c.params[mark]; return !ok }) {
			continue
		}
		if s := c.shape(a.embed); len(s) == 2 && s[1] == a.inputs {
			return a, nil
		}
	}
	if _, ok := c.params["coords"]; ok {
		return nil, errRollouts
	}
	var want []string
	for _, a := range architectures {
		want = append(
			want, fmt.Sprintf("%s has %s [d,%d], %s", a.title, a.embed, a.inputs, strings.Join(a.marks, ", ")),
		)
	}
	found := slices.Sorted(maps.Keys(c.params))
	more := ""
	if len(found) > 4 {
		found, more = found[:4], fmt.Sprintf(" and %d more", len(found)-4)
	}
	return nil, fmt.Errorf("unknown architecture: the file has the tensors %s%s (%s)",
		strings.Join(found, ", "), more, strings.Join(want, "; "))
}
