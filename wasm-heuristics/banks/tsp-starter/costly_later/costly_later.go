package costly_later

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const dear = 0.5 // of what it costs to come back for the city

// Score asks what it costs to come back: a city is cheap to leave for later when it lies between its two nearest
// remaining cities, and dear when it does not. Near cities that are dear to leave come first.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		row := s.Row(c)
		a, b := c, c
		for _, j := range s.Candidates {
			switch {
			case j == c:
			case a == c || row[j] < row[a]:
				a, b = j, a
			case b == c || row[j] < row[b]:
				b = j
			}
		}
		later := row[a] + row[b] - s.Dist(a, b)
		score[k] = -here[c] + dear*later
	}
}
