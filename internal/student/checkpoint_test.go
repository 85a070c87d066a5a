package student

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/safetensors"
)

func TestModelRoundTrip(t *testing.T) {
	for _, kind := range kinds(3) {
		m := New(kind.cfg, 4)
		data := marshal(t, m)
		back, err := UnmarshalModel(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Config, m.Config) || !bytes.Equal(marshal(t, back), data) {
			t.Errorf("%s: another model came back", kind.name)
		}
	}
}

// TestNamedRoundTrip: a named router has no network, so that the size of one in its configuration says nothing.
func TestNamedRoundTrip(t *testing.T) {
	cfg := smallNamed(3)
	cfg.D, cfg.Layers, cfg.Heads, cfg.FF = 128, 6, 8, 1<<20
	if back, err := UnmarshalModel(marshal(t, New(cfg, 4))); err != nil || !reflect.DeepEqual(back.Config, cfg) {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestTrainerRefusesSteps: steps that are no counts are refused, those of τ_h as well.
func TestTrainerRefusesSteps(t *testing.T) {
	for _, key := range []string{metaStep, metaTau} {
		data, err := NewTrainer(New(small(true), 4), training(), 1).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		tensors, meta, err := safetensors.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		meta[key] = "x"
		if data, err = safetensors.Encode(tensors, meta); err != nil {
			t.Fatal(err)
		}
		if _, err := UnmarshalTrainer(data); err == nil || !strings.Contains(err.Error(), `is "x", want a count`) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestTrainerCheckpointIsAModel(t *testing.T) {
	set, tauH := toy(4, 8, 1, 2, 1)
	tr := NewTrainer(New(small(true), 4), training(), 1)
	epochs(t, tr, []Dataset{set}, tauH, 0, 1)
	m, err := UnmarshalModel(marshal(t, tr))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(marshal(t, m), marshal(t, tr.Model)) {
		t.Error("another model came back")
	}
	if _, err := UnmarshalTrainer(marshal(t, m)); err == nil || !strings.Contains(
		err.Error(), "a model's checkpoint has none",
	) {
		t.Errorf("a model read as a trainer: error %v", err)
	}
}

// TestOlderTrainerCheckpoints: a checkpoint that counts the steps of all τ_h and keys together is read, and every entry
// gets the common count. Where no heuristic joined late that is what it is today.
func TestOlderTrainerCheckpoints(t *testing.T) {
	set, tauH := toy(4, 8, 1, 2, 1)
	cfg := small(true)
	cfg.LearnTauH, cfg.StaticKeys = true, 2
	tr := NewTrainer(New(cfg, 4), training(), 1)
	epochs(t, tr, []Dataset{set}, tauH, 0, 3)
	data := marshal(t, tr)
	tensors, meta, err := safetensors.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	newer := func(x safetensors.Tensor) bool { return strings.HasSuffix(x.Name, ".step") }
	older, err := safetensors.Encode(slices.DeleteFunc(slices.Clone(tensors), newer), meta)
	if err != nil {
		t.Fatal(err)
	}
	back, err := UnmarshalTrainer(older)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(marshal(t, back), data) {
		t.Errorf("steps of τ_h %v and of keys %v, want %v and %v",
			back.tau.step, back.columnStep, tr.tau.step, tr.columnStep)
	}

	for want, spoilt := range map[string]safetensors.Tensor{
		"Adam's steps are those of 3 τ_h": safetensors.New("adam.tau.step", []int64{1, 1, 1}, 3),
		"Adam took -1 steps on entry 1":   safetensors.New("adam.router.step", []int64{1, -1}, 2),
		"Adam took 99 steps on entry 0":   safetensors.New("adam.tau.step", []int64{99, 1}, 2),
	} {
		same := func(x safetensors.Tensor) bool { return x.Name == spoilt.Name }
		data, err := safetensors.Encode(append(slices.DeleteFunc(slices.Clone(tensors), same), spoilt), meta)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := UnmarshalTrainer(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	tensors, meta, err := New(small(true), 4).encode()
	if err != nil {
		t.Fatal(err)
	}
	with := func(key, value string) map[string]string {
		out := map[string]string{key: value}
		for k, v := range meta {
			if k != key {
				out[k] = v
			}
		}
		return out
	}
	reshaped := append([]safetensors.Tensor(nil), tensors...)
	reshaped[0] = safetensors.New(reshaped[0].Name, make([]float32, 32), 16, 2)
	extra := append([]safetensors.Tensor{safetensors.New("decoder.weight", []float32{1}, 1)}, tensors...)
	spoilt := append([]safetensors.Tensor(nil), tensors...)
	spoilt[0] = safetensors.New(
		spoilt[0].Name, append([]float32{0, float32(math.NaN())}, make([]float32, 30)...), spoilt[0].Shape()...,
	)
	for _, c := range []struct {
		name    string
		tensors []safetensors.Tensor
		meta    map[string]string
		want    string
	}{
		{"not a student", tensors, nil, "not a student"},
		{"newer version", tensors, with(metaFormat, "2"), "newer"},
		{"bad configuration", tensors, with(metaModel, `{"dim":16,"heads":3,"layers":2,"ff":24}`), "heads is 3"},
		{"absurd size", tensors, with(metaModel, `{"dim":16000000,"heads":1,"layers":2,"ff":24}`), "too few"},
		{
			"absurd decoder", tensors,
			with(metaModel, `{"arch":"lehd","decoder_layers":160000000,"dim":16,"heads":2,"layers":2,"ff":24}`),
			"too few",
		},
		{
			"absurd bank", tensors, with(metaModel, `{"dim":16,"heads":2,"layers":2,"ff":24,"static_keys":160000000}`),
			"too few",
		},
		{
			"another size", tensors, with(metaModel, `{"dim":32,"heads":2,"layers":2,"ff":24,"glimpse":true}`),
			"has shape",
		},
		{
			"missing layer", tensors, with(metaModel, `{"dim":16,"heads":2,"layers":3,"ff":24,"glimpse":true}`),
			"encoder.2.qkv.weight is missing",
		},
		{"reshaped", reshaped, meta, "embed.weight has shape [16 2], want [2 16]"},
		{"extra", extra, meta, "parameters, want"},
		{"not a number", spoilt, meta, "parameter embed.weight: element 1 is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := safetensors.Encode(c.tensors, c.meta)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := UnmarshalModel(data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	whole := marshal(t, New(small(true), 4))
	if _, err := UnmarshalModel(whole[:len(whole)-5]); err == nil {
		t.Error("a truncated checkpoint was read")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []Config{defaultPOMO(), defaultLEHD()} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
	for want, change := range map[string]func(*Config){
		"dim is 100": func(c *Config) { c.D = 100 }, "heads is 5": func(c *Config) { c.Heads = 5 },
		"layers is 0":         func(c *Config) { c.Layers = 0 },
		"ff is -1":            func(c *Config) { c.FF = -1 },
		"tau_r is -1":         func(c *Config) { c.TauR = -1 },
		"static_keys is -1":   func(c *Config) { c.StaticKeys = -1 },
		`problem "vrp"`:       func(c *Config) { c.Problem = "vrp" },
		`arch "am"`:           func(c *Config) { c.Arch = "am" },
		"decoder_layers is 2": func(c *Config) { c.DecoderLayers = 2 },
		"decoder_layers is 0": func(c *Config) { c.Arch, c.Glimpse = LEHD, false },
		`norm "batch"`:        func(c *Config) { c.Norm = "batch" },
		"norm is affine":      func(c *Config) { c.Arch, c.DecoderLayers, c.Glimpse, c.Norm = LEHD, 1, false, Affine },
		"glimpse is set":      func(c *Config) { c.Arch, c.DecoderLayers = LEHD, 1 },

		"weights of 2 programs, the bank has 3": func(c *Config) { c.StaticKeys, c.Weights = 3, []int{1, 1} },
		"weights of 1 programs, the bank has 2": func(c *Config) { *c = smallNamed(2); c.Weights = []int{1} },
	} {
		c := defaultPOMO()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, change := range map[string]func(*TrainConfig){
		"lr is 0": func(c *TrainConfig) { c.LR = 0 }, "batch_states is 0": func(c *TrainConfig) { c.BatchStates = 0 },
		"grad_clip is -1":    func(c *TrainConfig) { c.GradClip = -1 },
		"warmup_steps is -1": func(c *TrainConfig) { c.WarmupSteps = -1 },
		`schedule "linear"`:  func(c *TrainConfig) { c.Schedule = "linear" },
		"total_epochs is 0":  func(c *TrainConfig) { c.TotalEpochs = 0 },
	} {
		c := training()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestRate(t *testing.T) {
	cosine := TrainConfig{LR: 1, WarmupSteps: 10, Schedule: Cosine, TotalEpochs: 4}
	for _, c := range []struct {
		cfg    TrainConfig
		step   int
		epochs float64
		want   float64
	}{
		{TrainConfig{LR: 0.5}, 1, 0, 0.5},
		{TrainConfig{LR: 0.5, WarmupSteps: 4}, 1, 0, 0.125},
		{cosine, 5, 0, 0.5},
		{cosine, 10, 2, 0.505},
		{cosine, 99, 4, 0.01},
		{cosine, 99, 40, 0.01},
	} {
		if got := c.cfg.rate(c.step, c.epochs); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("step %d after %v epochs of %+v: rate %v, want %v", c.step, c.epochs, c.cfg, got, c.want)
		}
	}
}
