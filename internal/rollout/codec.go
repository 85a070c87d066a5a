package rollout

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// Version is the version of the shard format, written to and required in the metadata.
const Version = 1

// format marks a safetensors file as a shard.
const format = "epb-rollout"

// maxWindow bounds the memory that a compressed shard may ask for beside its contents, in bytes; Marshal asks for 8
// MiB.
const maxWindow = 32 << 20

// maxShard bounds what a compressed shard may unpack to, in bytes.
const maxShard = 16 << 30

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Encode returns the shard as a safetensors file. Metadata: format "epb-rollout", version, problem ("tsp" or "cvrp"),
// teacher (the name of the policy), nodes N, and via_depot "true" where that holds. Tensors, for I instances, R
// trajectories of A actions, S states and E candidates of all states together:
//
//	coords         F32 [I,N,2]  x, y of each node
//	instance_of    I32 [R]      instance of each trajectory
//	actions        I32 [R,N]    nodes in visiting order; CVRP: I32 [A], with a 0 after every route
//	start_probs    F32 [R,N]    TSP only: distribution over the first action; all zero where the start was given
//	traj           I32 [S]      trajectory of each state
//	step           I32 [S]      actions taken before the state
//	offset         I64 [S+1]    candidates and probabilities of state s are offset[s] .. offset[s+1]-1
//	candidates     U16 [E]      feasible actions in increasing order
//	probs          F32 [E]      the teacher's π(a|s)
//
// and for CVRP, where node 0 is the depot:
//
//	demand         I32 [I,N]    the depot's is 0
//	capacity       I32 [I]
//	action_offset  I64 [R+1]    actions of trajectory r are action_offset[r] .. action_offset[r+1]-1
//	remaining      I32 [S]      room in the vehicle before the action, in demand units
//
// The comment of Shard defines states and candidates. Equal shards give equal bytes.
func (sh *Shard) Encode() ([]byte, error) {
	data, err := safetensors.Encode(sh.flat().tensors(), sh.metadata())
	if err != nil {
		return nil, fmt.Errorf("encode shard: %w", err)
	}
	return data, nil
}

// tensors returns the arrays of the shard as the file has them.
func (f *flat) tensors() []safetensors.Tensor {
	var tensors []safetensors.Tensor
	for _, a := range f.held() {
		tensors = append(tensors, a.tensor())
	}
	return tensors
}

func (sh *Shard) metadata() map[string]string {
	meta := map[string]string{
		"format": format, "version": strconv.Itoa(Version),
		"problem": string(sh.Problem), "teacher": sh.Teacher, "nodes": strconv.Itoa(sh.N),
	}
	if sh.ViaDepot {
		meta["via_depot"] = "true"
	}
	return meta
}

// Marshal returns the shard as a safetensors file compressed with zstd.
func (sh *Shard) Marshal() ([]byte, error) {
	data, err := sh.Encode()
	if err != nil {
		return nil, err
	}
	w, err := compressor(nil)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(data, make([]byte, 0, len(data)/2)), nil
}

func compressor(out io.Writer) (*zstd.Encoder, error) {
	w, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return nil, fmt.Errorf("compress shard: %w", err)
	}
	return w, nil
}

// Unmarshal reads a shard written by Encode or Marshal. It checks the layout, where a tensor may also be a vector of
// its elements; call Validate to check every state.
func Unmarshal(data []byte) (*Shard, error) {
	tensors, meta, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	return fromTensors(tensors, meta)
}

// fromTensors returns the shard of a decoded file.
func fromTensors(tensors []safetensors.Tensor, meta map[string]string) (*Shard, error) {
	if meta["format"] != format {
		return nil, fmt.Errorf("read shard: metadata format %.80q, want %q: epb rollout import makes a shard of "+
			"rollouts that other programs wrote", meta["format"], format)
	}
	if meta["version"] != strconv.Itoa(Version) {
		return nil, fmt.Errorf("read shard: version %.80q, want %d: record the rollouts again",
			meta["version"], Version)
	}
	n, err := strconv.Atoi(meta["nodes"])
	if err != nil || n < 1 || n > routing.MaxNodes {
		return nil, fmt.Errorf("read shard: metadata nodes %.80q, want 1..%d", meta["nodes"], routing.MaxNodes)
	}
	f := &flat{fields: fields{
		Problem: routing.Problem(meta["problem"]), Teacher: meta["teacher"], N: n,
		ViaDepot: meta["via_depot"] == "true",
	}}
	if _, err := problems.Of(f.Problem); err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	if err := f.take(tensors); err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	if err := f.validateShapes(); err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	return f.shard(), nil
}

// decode reads a safetensors file, compressed or not.
func decode(data []byte) ([]safetensors.Tensor, map[string]string, error) {
	if bytes.HasPrefix(data, zstdMagic) {
		var err error
		if data, err = decompress(data); err != nil {
			return nil, nil, fmt.Errorf("decompress: %w", err)
		}
	}
	return safetensors.Decode(data)
}

// decompress reads a stream, so that memory grows with the actual contents and not with the size in a header.
func decompress(data []byte) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out, err := io.ReadAll(io.LimitReader(r, maxShard+1))
	if len(out) > maxShard {
		return nil, fmt.Errorf("it unpacks to more than %d bytes", maxShard)
	}
	return out, err
}

// take moves the tensors into the shard's arrays.
func (f *flat) take(tensors []safetensors.Tensor) error {
	byName := make(map[string]safetensors.Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, a := range f.held() {
		if err := a.take(byName); err != nil {
			return err
		}
	}
	for _, t := range tensors {
		if _, left := byName[t.Name]; left {
			return fmt.Errorf("unknown tensor %s", t.Name)
		}
	}
	return nil
}
