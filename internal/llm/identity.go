package llm

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// StandIn is the model name of the stand-in, which is no language model: it answers by rule, so that everything runs
// without a key. Answers, lineages, journals and results use this name.
const StandIn = "stand-in"

// NullWriter is the model name of the null writer, which is no language model either: the same server answers for it
// with terms drawn by lot. It is the control of an ablation. A run asks for it by this name.
const NullWriter = "null-writer"

// formerStandIn is its name in records, and on servers, of earlier versions.
const formerStandIn = "epb-standin"

// ReplayedHeader is the header of a reply that a server takes from an archive: Model gave it then, and nothing is paid
// for it now.
const ReplayedHeader = "Epb-Replayed"

// IsStandIn reports whether a server names the stand-in by a name.
func IsStandIn(name string) bool { return modelName(name) == StandIn }

// modelName returns the name of a model as its server gives it, under its present name.
func modelName(name string) string {
	if name == formerStandIn {
		return StandIn
	}
	return name
}

// Spend returns the cost of an answer to a question that was sent to the model asked. It also notes whether the
// stand-in or the null writer answered instead, and whether the answer is a replayed one.
func (a Answer) Spend(asked string, prices ledger.Prices) ledger.Spend {
	s := prices.Call(asked, a.PromptTokens, a.CompletionTokens)
	s.StandIn, s.NullWriter, s.Replayed = a.Model == StandIn, a.Model == NullWriter, a.Replayed
	if s.StandIn || s.NullWriter {
		s.MicroUSD = 0 // whatever the model costs that was asked
	}
	return s
}

const (
	introduction = 5 * time.Second  // how long a server has to name its models
	silence      = 30 * time.Second // how long one that did not is left alone
)

// identity is what a client knows about its server. It is safe for concurrent use.
type identity struct {
	asking sync.Mutex // held while the server is asked, so that it is asked once

	mu      sync.Mutex
	known   bool
	standIn bool
	silent  time.Time // until when a server that did not answer is left alone
}

// answered notes that the server answered as a model of that name.
func (i *identity) answered(model string) { i.set(model == StandIn || model == NullWriter) }

// set records which server answers.
func (i *identity) set(standIn bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.known, i.standIn = true, standIn
}

// setSilent records that the server did not identify itself.
func (i *identity) setSilent() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.silent = time.Now().Add(silence)
}

// other reports whether the server is known to be another than the stand-in, and whether it need not be asked now.
func (i *identity) other() (other, settled bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.known && !i.standIn, i.known || time.Now().Before(i.silent)
}

// isModel reports whether the server is known to be another than the stand-in. One that has not answered yet is asked
// for its models, which costs nothing. While it is silent, it may be either.
func (c *Client) isModel(ctx context.Context) bool {
	c.who.asking.Lock()
	defer c.who.asking.Unlock()
	if other, settled := c.who.other(); settled {
		return other
	}
	var res *http.Response
	page, err := c.models.List(ctx, option.WithRequestTimeout(introduction), option.WithResponseInto(&res))
	switch {
	case res == nil:
		c.who.setSilent()
	case err != nil, page == nil: // the stand-in never refuses
		c.who.set(false)
	default:
		c.who.set(slices.ContainsFunc(page.Data, func(m openai.Model) bool { return IsStandIn(m.ID) }))
	}
	other, _ := c.who.other()
	return other
}
