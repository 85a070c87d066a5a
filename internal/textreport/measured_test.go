package textreport_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/textreport"
)

// The means over all instances have the larger ones too, even where there are no others.
func TestMeansOverAllSizes(t *testing.T) {
	large := export.Measured{
		Name: "large", Nodes: 5000, Cost: 11, BestKnown: 10, Classics: []export.Classic{{Method: "savings", Cost: 12}},
	}
	small := large
	small.Nodes, small.Cost = 100, 13
	for want, all := range map[string][]export.Measured{
		"all           1           0.0   +10.00 %": {large},
		"all           2           0.0   +20.00 %": {small, large},
	} {
		var out bytes.Buffer
		if err := textreport.Measured(&out, all); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v: %s; want a line with %q", err, out.String(), want)
		}
	}
}
