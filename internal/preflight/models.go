package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/llm"
)

// Models says which models a run asks, where, and whether that costs money, in one line for each server. It adds to
// Fit, Warnings and Open, and sets StandIn: read these afterwards.
func (p *Findings) Models(ctx context.Context, cfg config.Distill) []string {
	common := "" // of the roles without an endpoint of their own
	if slices.ContainsFunc(config.Roles, func(role string) bool { return cfg.LLM.Endpoints[role].URL == "" }) {
		common = p.checkLLM(ctx, cfg.Limits.USD)
	}
	var places []string
	asked := map[string][]string{}
	for _, role := range config.Roles {
		place := common
		if variable := cfg.LLM.Endpoints[role].URL; variable != "" {
			place, p.StandIn = variable+ofWorker, false
		}
		if asked[place] == nil {
			places = append(places, place)
		}
		asked[place] = append(asked[place], role+" "+cfg.LLM.Models()[role])
	}
	for i, place := range places {
		if variable, _, unknown := strings.Cut(place, ofWorker); unknown {
			p.Open = append(p.Open, "the LLM at "+variable)
		}
		places[i] = strings.Join(asked[place], ", ") + " at " + place
	}
	return places
}

// ofWorker follows the name of a variable whose value is known only to the worker.
const ofWorker = " of the worker's environment: not known here, so its calls may be charged"

// unknownLLM is shown for the LLM of a worker that is unknown on this machine.
const unknownLLM = "OPENAI_BASE_URL" + ofWorker

// checkLLM returns, in words, the LLM that the workers ask, as far as that is known on this machine. A run may start
// although its LLM does not answer: it trains, and then waits.
func (p *Findings) checkLLM(ctx context.Context, limit float64) string {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	dir, known, base := p.dir, 0, ""
	for _, w := range p.pollers {
		if of, ok := devstack.LLMOf(dir, w.Identity); ok {
			known, base = known+1, of
		}
	}
	shell, shellErr := connect.LLMConfig(devstack.Servers(dir))
	if shellErr == nil {
		_, shellErr = llm.New(shell) // a URL that no worker takes is not shown: it may hold a password
	}
	switch {
	case known == 0 && len(p.pollers) == 0 && shellErr == nil:
		return unknownLLM + fmt.Sprintf(" (epb dev up in this shell starts a worker that asks %s)", shell.BaseURL)
	case known == 0:
		return unknownLLM
	case known < len(p.pollers):
		p.warn("%d of %d workers are not the dev stack's: which LLM they ask is not known here",
			len(p.pollers)-known, len(p.pollers))
	}
	key := ""
	if shellErr == nil && shell.BaseURL == base {
		key = shell.APIKey
	}
	if connect.LLMIsNamed() && shellErr == nil && shell.BaseURL != base {
		p.warn("this shell names the LLM at %s, and the worker was started with %s: "+
			"epb dev up restarts it with this shell's", shell.BaseURL, base)
	}
	detail, standIn, err := connect.Models(ctx, base, key, key != "")
	switch {
	case err != nil:
		p.warn("the worker's LLM: %v: until it answers, the run trains and then waits", err)
		return base + ": it does not answer now"
	case standIn:
		p.Fit = append(p.Fit, "the LLM at "+base)
		p.StandIn = known == len(p.pollers)
		return detail + ": the rule-based stand-in, no language model, which costs nothing"
	}
	p.Fit = append(p.Fit, "an answer of the LLM at "+base)
	p.Open = append(p.Open, "the worker's key and the models' names there")
	if limit > 0 {
		return fmt.Sprintf("%s: not the stand-in, so its server may charge, up to limits.usd = %g", detail, limit)
	}
	return detail + ": not the stand-in, so its server may charge for every call (limits.usd sets a cap)"
}
