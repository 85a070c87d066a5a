package teacher

import (
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// lehdRows is the number of tokens that go through the decoder's layers together.
const lehdRows = 512

// lehdDecoder builds solutions with LEHD. Trajectories on instances of one size have the same number of unvisited nodes
// at every step. So they take their steps together, with their tokens stacked. The buffers are kept from step to step.
type lehdDecoder struct {
	net    *lehd
	enc    encoder
	dec    stack     // the layers of the decoder
	ends   []float32 // [B·n,2d] first and last token of every node
	logits []float32 // [tokens,c]
	pi     []float32 // [tracks,c·K] the model's distribution over K unvisited nodes: directly, then by way of the depot
}

// track is one trajectory under construction.
type track struct {
	run   routing.Run
	base  int     // row of the instance's node 0 among the encoder's rows
	open  []int32 // unvisited nodes, increasing
	state lehdState
	tr    routing.Trajectory
}

// lehdState is what LEHD uses beside the unvisited nodes. It turns decisions into actions.
type lehdState interface {
	// ends returns the first and the last node, and the room in the vehicle as a fraction of its capacity.
	ends() (first, last int32, room float32)
	// take turns the model's distribution pi into actions, or takes the forced actions of the run.
	take(tk *track, pi []float32) error
	// finish returns the actions and their cost.
	finish() ([]int32, float64)
}

func newLEHDDecoder(net *lehd) *lehdDecoder {
	return &lehdDecoder{
		net: net, enc: newEncoder(&net.enc), dec: stack{d: net.enc.d, heads: net.enc.heads, layers: net.layers},
	}
}

// Close implements routing.Decoder.
func (d *lehdDecoder) Close() error { return nil }

// BatchSize implements routing.BatchDecoder.
func (d *lehdDecoder) BatchSize(n int) int { return max(1, lehdRows/(n+2)) }

// Decode implements routing.Decoder. The own start is node 0 for TSP and the model's choice for CVRP. Recorded
// distributions are the model's own divided by their sum, which differs from 1 by up to 1e-7 a node. Choices use the
// model's own distributions.
func (d *lehdDecoder) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs, err := d.DecodeBatch([]routing.Instance{*inst}, [][]routing.Run{runs})
	if err != nil {
		return nil, err
	}
	return trs[0], nil
}

// DecodeBatch implements routing.BatchDecoder.
func (d *lehdDecoder) DecodeBatch(insts []routing.Instance, runs [][]routing.Run) ([][]routing.Trajectory, error) {
	if len(insts) == 0 {
		return nil, nil
	}
	tracks, err := d.begin(insts, runs)
	if err != nil {
		return nil, err
	}
	size := d.BatchSize(insts[0].N())
	for from := 0; from < len(tracks); from += size {
		group := tracks[from:min(from+size, len(tracks))]
		for len(group[0].open) > 0 {
			if err := d.step(group); err != nil {
				return nil, err
			}
		}
	}
	out := make([][]routing.Trajectory, len(insts))
	for i := range runs {
		for range runs[i] {
			tk := &tracks[0]
			tk.tr.Actions, tk.tr.Cost = tk.state.finish()
			out[i] = append(out[i], tk.tr)
			tracks = tracks[1:]
		}
	}
	return out, nil
}

// begin encodes the instances. It returns a track for every run, in order, up to the model's first decision.
func (d *lehdDecoder) begin(insts []routing.Instance, runs [][]routing.Run) ([]track, error) {
	if err := checkBatch(d.net.problem, insts, runs); err != nil {
		return nil, err
	}
	n, w := insts[0].N(), d.net.enc.d
	d.enc.forward(insts)
	d.ends = dense.Sized(d.ends, len(insts)*n*2*w)
	tensorops.Linear(d.ends, d.enc.h, d.net.ends, d.net.endsB, w)
	var tracks []track
	for i := range insts {
		for _, run := range runs[i] {
			tk := track{run: run, base: i * n, open: make([]int32, n)}
			for j := range tk.open {
				tk.open[j] = int32(j)
			}
			var err error
			if tk.state, err = d.net.begin(&insts[i], &tk); err != nil {
				return nil, err
			}
			tracks = append(tracks, tk)
		}
	}
	return tracks, nil
}

// step takes the next decision of every track.
func (d *lehdDecoder) step(tracks []track) error {
	d.distribute(tracks)
	width := len(d.pi) / len(tracks)
	for i := range tracks {
		if err := tracks[i].state.take(&tracks[i], d.pi[i*width:(i+1)*width]); err != nil {
			return err
		}
	}
	return nil
}

// distribute sets pi for tracks of K unvisited nodes each. The tokens [first; unvisited nodes; last] pass through all
// layers, then one softmax is taken over the outputs of the middle tokens.
func (d *lehdDecoder) distribute(tracks []track) {
	w, K, c := d.net.enc.d, len(tracks[0].open), len(d.net.finalB)
	d.dec.reserve(len(tracks), K+2)
	h := d.dec.h
	for i := range tracks {
		tk := &tracks[i]
		first, last, room := tk.state.ends()
		d.end(h[:w], tk.base+int(first), 0, d.net.roomF, room)
		for k, j := range tk.open {
			copy(h[(k+1)*w:(k+2)*w], d.enc.h[(tk.base+int(j))*w:])
		}
		d.end(h[(K+1)*w:(K+2)*w], tk.base+int(last), w, d.net.roomL, room)
		h = h[(K+2)*w:]
	}
	d.dec.run(K + 2)
	d.logits = dense.Sized(d.logits, len(tracks)*(K+2)*c)
	tensorops.Linear(d.logits, d.dec.h, d.net.final, d.net.finalB, w)
	d.pi = dense.Sized(d.pi, len(tracks)*c*K)
	for i := range tracks {
		for k := range K {
			for via := range c {
				d.pi[(i*c+via)*K+k] = d.logits[(i*(K+2)+k+1)*c+via]
			}
		}
	}
	tensorops.Softmax(d.pi, d.pi, c*K)
	for i, p := range d.pi {
		if p <= 1e-5 {
			d.pi[i] = p + 1e-7 // the original's guard before a logarithm; it does not normalise the rows again
		}
	}
}

// end writes the token of an encoder row as first (column 0) or last (column d) node.
func (d *lehdDecoder) end(token []float32, row, column int, roomW []float32, room float32) {
	w := len(token)
	copy(token, d.ends[row*2*w+column:])
	for i, v := range roomW {
		token[i] += room * v
	}
}

// remove takes node j out of the unvisited ones, if it is among them.
func (tk *track) remove(j int32) {
	if k, ok := slices.BinarySearch(tk.open, j); ok {
		tk.open = slices.Delete(tk.open, k, k+1)
	}
}

// lehdTSP is a tour under construction. The caller gives the start.
type lehdTSP struct{ s *tsp.State }

func newLEHDTSP(inst *routing.Instance, tk *track) (lehdState, error) {
	t := lehdTSP{tsp.NewState(inst)}
	start := int32(max(0, tk.run.Start))
	if len(tk.run.Force) > 0 {
		start = tk.run.Force[0]
	}
	if err := t.s.Step(start); err != nil {
		return nil, err
	}
	tk.remove(start)
	if tk.run.Record {
		n := inst.N()
		tk.tr.Probs = make([]float32, n, n*n)
	}
	return t, nil
}

func (t lehdTSP) ends() (first, last int32, room float32) {
	actions := t.s.Actions()
	return actions[0], actions[len(actions)-1], 0
}

func (t lehdTSP) take(tk *track, pi []float32) error {
	step := len(t.s.Actions())
	if tk.run.Record {
		row := tk.row(len(t.s.Visited()))
		for k, j := range tk.open {
			row[j] = pi[k]
		}
		normalise(row)
	}
	a := tk.open[tk.choose(step, pi)]
	if step < len(tk.run.Force) {
		a = tk.run.Force[step]
	}
	if err := t.s.Step(a); err != nil {
		return err
	}
	tk.remove(a)
	return nil
}

func (t lehdTSP) finish() ([]int32, float64) { return t.s.Actions(), t.s.Cost() }

// choose returns the index in pi of the model's decision: the largest, or a draw.
func (tk *track) choose(step int, pi []float32) int {
	if tk.run.Sample != 0 {
		return routing.Draw(tk.run.Sample, step, pi)
	}
	return largest(pi)
}

// row appends a row of zeros to the recorded distributions.
func (tk *track) row(width int) []float32 {
	at := len(tk.tr.Probs)
	tk.tr.Probs = append(tk.tr.Probs, make([]float32, width)...)
	return tk.tr.Probs[at:]
}

// normalise divides a row by its sum.
func normalise(row []float32) {
	var sum float64
	for _, p := range row {
		sum += float64(p)
	}
	for i, p := range row {
		row[i] = float32(float64(p) / sum)
	}
}

// largest returns the index of the largest value, the first on a tie.
func largest(pi []float32) int {
	best := 0
	for k, p := range pi {
		if p > pi[best] {
			best = k
		}
	}
	return best
}
