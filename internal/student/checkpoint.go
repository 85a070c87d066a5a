package student

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/safetensors"
)

// A checkpoint is a safetensors file: the model's parameters under their names, and in a trainer's also Adam's moments
// and steps under "adam."; the metadata holds the configurations as JSON. A trainer's checkpoint is a model's as well.
//
// Older checkpoints have one count for all τ_h, tau_step, and none for what the router learns of each heuristic, which
// was that of all parameters. When such a checkpoint is read, every heuristic gets the common count. tau_step is still
// written, since workers of an older version may go on with a run.
const (
	metaFormat = "epb.student"
	metaModel  = "model"
	metaTrain  = "train"
	metaSeed   = "seed"
	metaStep   = "step"
	metaTau    = "tau_step"
	version    = "1"
	adamPrefix = "adam."
)

// Marshal returns the model as a checkpoint. Equal models give equal bytes.
func (m *Model) Marshal() ([]byte, error) {
	tensors, meta, err := m.encode()
	if err != nil {
		return nil, err
	}
	return safetensors.Encode(tensors, meta)
}

func (m *Model) encode() ([]safetensors.Tensor, map[string]string, error) {
	cfg, err := json.Marshal(m.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("encode student: %w", err)
	}
	var tensors []safetensors.Tensor
	for _, p := range m.params {
		tensors = append(tensors, safetensors.Tensor{Name: p.Name, Dense: p.Value})
	}
	return tensors, map[string]string{metaFormat: version, metaModel: string(cfg)}, nil
}

// UnmarshalModel reads a checkpoint of a model or of a trainer.
func UnmarshalModel(data []byte) (*Model, error) {
	tensors, meta, err := safetensors.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read student checkpoint: %w", err)
	}
	return decodeModel(tensors, meta)
}

func decodeModel(tensors []safetensors.Tensor, meta map[string]string) (*Model, error) {
	got, ok := meta[metaFormat]
	if !ok {
		return nil, errors.New(
			"read student checkpoint: not a student as epb report writes it: its metadata has no " + metaFormat,
		)
	}
	if got != version {
		return nil, fmt.Errorf(
			"read student checkpoint: %s version is %.80q, want %q: a newer student, or an older one", metaFormat, got,
			version,
		)
	}
	var cfg Config
	if err := json.Unmarshal([]byte(meta[metaModel]), &cfg); err != nil {
		return nil, fmt.Errorf("read student checkpoint: model configuration: %.200w", err)
	}
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("read student checkpoint: %w", err)
	}
	named := map[string]safetensors.Tensor{}
	total := 0
	for _, t := range tensors {
		if !strings.HasPrefix(t.Name, adamPrefix) {
			named[t.Name] = t
			total += len(t.Raw) / 4
		}
	}
	if err := checkLayout(cfg, named, total); err != nil {
		return nil, fmt.Errorf("read student checkpoint: %w", err)
	}
	m := newModel(cfg)
	for _, p := range m.params {
		x, err := safetensors.Values[float32](named[p.Name])
		if err != nil {
			return nil, fmt.Errorf("read student checkpoint: %w", err)
		}
		if i := slices.IndexFunc(x, func(v float32) bool { return v-v != 0 }); i >= 0 {
			return nil, fmt.Errorf("read student checkpoint: parameter %s: element %d is %v", p.Name, i, x[i])
		}
		copy(dense.Must[float32](p.Name, p.Value, p.Value.Shape()...), x)
	}
	return m, nil
}

// checkLayout compares the names and shapes with cfg's before any memory is spent on what cfg claims.
func checkLayout(cfg Config, named map[string]safetensors.Tensor, total int) (err error) {
	if !cfg.named() && // a named router has no network: its configuration may say what size one would have
		(max(cfg.Layers, cfg.DecoderLayers) > len(named) || max(cfg.D, cfg.FF, cfg.StaticKeys) > total) {
		return fmt.Errorf(
			"%d tensors with %d values are too few for dim %d, ff %d and %d layers", len(named), total, cfg.D, cfg.FF,
			cfg.Layers,
		)
	}
	want := 0
	cfg.layout(func(name string, shape ...int) []float32 {
		want++
		if t, ok := named[name]; err == nil && !ok {
			err = fmt.Errorf("parameter %s is missing", name)
		} else if err == nil && !slices.Equal(t.Shape(), shape) {
			err = fmt.Errorf("parameter %s has shape %v, want %v", name, []int(t.Shape()), shape)
		}
		return nil
	})
	if err == nil && want != len(named) {
		err = fmt.Errorf("%d parameters, want %d", len(named), want)
	}
	return err
}

// Marshal returns the trainer as a checkpoint from which training goes on bit for bit. tauH is not part of it: it
// belongs to the bank.
func (t *Trainer) Marshal() ([]byte, error) {
	tensors, meta, err := t.Model.encode()
	if err != nil {
		return nil, err
	}
	cfg, err := json.Marshal(t.Config)
	if err != nil {
		return nil, fmt.Errorf("encode trainer: %w", err)
	}
	tensors = append(tensors,
		safetensors.New("adam.m", t.m, len(t.m)), safetensors.New("adam.v", t.v, len(t.v)),
		safetensors.New("adam.tau.m", t.tau.m, len(t.tau.m)), safetensors.New("adam.tau.v", t.tau.v, len(t.tau.v)),
		safetensors.New("adam.tau.step", t.tau.step, len(t.tau.step)),
		safetensors.New("adam.router.step", t.columnStep, len(t.columnStep)))
	meta[metaTrain] = string(cfg)
	meta[metaSeed] = strconv.FormatUint(t.seed, 10)
	meta[metaStep] = strconv.Itoa(t.step)
	meta[metaTau] = strconv.FormatInt(slices.Max(append([]int64{0}, t.tau.step...)), 10)
	return safetensors.Encode(tensors, meta)
}

// UnmarshalTrainer reads what Trainer.Marshal wrote. The error says what of the checkpoint cannot be read.
func UnmarshalTrainer(data []byte) (*Trainer, error) {
	tensors, meta, err := safetensors.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read trainer checkpoint: %w", err)
	}
	model, err := decodeModel(tensors, meta)
	if err != nil {
		return nil, err
	}
	t, tauStep, err := decodeTrainer(model, meta)
	if err == nil {
		err = t.readMoments(tensors, tauStep)
	}
	if err != nil {
		return nil, fmt.Errorf("read trainer checkpoint: %w", err)
	}
	if err := t.checkMoments(); err != nil {
		return nil, err
	}
	return t, nil
}

// decodeTrainer returns a trainer of a model with the settings and the step of a checkpoint, and with moments of 0.
// tauStep is the largest step of Adam on a τ_h.
func decodeTrainer(model *Model, meta map[string]string) (t *Trainer, tauStep int64, err error) {
	var cfg TrainConfig
	if err := json.Unmarshal([]byte(meta[metaTrain]), &cfg); err != nil {
		return nil, 0, fmt.Errorf("training configuration (a model's checkpoint has none): %.200w", err)
	}
	if err := cfg.Validate(); err != nil {
		return nil, 0, err
	}
	seed, err := strconv.ParseUint(meta[metaSeed], 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("seed: %w", err)
	}
	count := func(name string) int {
		n, wrong := strconv.Atoi(meta[name])
		if err == nil && (wrong != nil || n < 0) {
			err = fmt.Errorf("%s is %.80q, want a count", name, meta[name])
		}
		return n
	}
	t = NewTrainer(model, cfg, seed)
	t.step = count(metaStep)
	tauStep = int64(count(metaTau)) // which may set err
	return t, tauStep, err
}

// readMoments reads Adam's moments and steps. Older checkpoints have neither steps of columns, which are then the
// trainer's, nor of single τ_h, which are then tauStep.
func (t *Trainer) readMoments(tensors []safetensors.Tensor, tauStep int64) (err error) {
	t.columnStep = slices.Repeat([]int64{int64(t.step)}, len(t.columnStep))
	older := true
	for _, x := range tensors {
		switch x.Name {
		case "adam.m":
			t.m, err = safetensors.Values[float32](x)
		case "adam.v":
			t.v, err = safetensors.Values[float32](x)
		case "adam.tau.m":
			t.tau.m, err = safetensors.Values[float64](x)
		case "adam.tau.v":
			t.tau.v, err = safetensors.Values[float64](x)
		case "adam.tau.step":
			t.tau.step, err = safetensors.Values[int64](x)
			older = false
		case "adam.router.step":
			t.columnStep, err = safetensors.Values[int64](x)
		}
		if err != nil {
			return err
		}
	}
	if older {
		t.tau.step = slices.Repeat([]int64{tauStep}, len(t.tau.m))
	}
	return nil
}

// checkMoments refuses moments and steps that are not those of the model, or of the trainer's step.
func (t *Trainer) checkMoments() error {
	size, numbered := t.Model.Size(), t.Model.Config.OwnParameters()
	if len(t.m) != size || len(t.v) != size || len(t.tau.m) != len(t.tau.v) {
		return fmt.Errorf("read trainer checkpoint: Adam's moments have %d, %d, %d and %d values for %d parameters",
			len(t.m), len(t.v), len(t.tau.m), len(t.tau.v), size)
	}
	if len(t.tau.step) != len(t.tau.m) || len(t.columnStep) != numbered {
		return fmt.Errorf("read trainer checkpoint: Adam's steps are those of %d τ_h and %d columns, want %d and %d",
			len(t.tau.step), len(t.columnStep), len(t.tau.m), numbered)
	}
	for _, steps := range [][]int64{t.tau.step, t.columnStep} {
		if i := slices.IndexFunc(steps, func(n int64) bool { return n < 0 || n > int64(t.step) }); i >= 0 {
			return fmt.Errorf("read trainer checkpoint: Adam took %d steps on entry %d, want 0 to %d", steps[i], i,
				t.step)
		}
	}
	return nil
}
