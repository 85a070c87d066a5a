package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// variable is the name of an environment variable. It is strict enough to refuse a key that is pasted in its place.
var variable = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`)

// reserved matches the beginnings of variables that hold secrets of the worker for other servers.
var reserved = regexp.MustCompile(`^(EPB_S3_|TEMPORAL_|AWS_ACCESS_|AWS_SECRET_|AWS_SESSION_)`)

// Roles are the names of the roles that a model can have, the cheapest first.
var Roles = []string{"critic", "writer", "proposer"}

// Models returns the model of each role, by the role's name.
func (l LLM) Models() map[string]string {
	return map[string]string{"critic": l.Critic, "writer": l.Writer, "proposer": l.Proposer}
}

// promptTokens is the size of a long prompt, as the ledger estimates it: a step with its failures and gradients.
const promptTokens = 16 << 10

// Worst returns the highest cost of n calls with long prompts to any of the models.
func (l LLM) Worst(n int) ledger.Spend {
	var worst ledger.Spend
	for _, model := range []string{l.Critic, l.Writer, l.Proposer} {
		if s := l.Prices.Call(model, promptTokens, l.MaxTokens); s.MicroUSD >= worst.MicroUSD {
			worst = s
		}
	}
	return ledger.Spend{
		Calls: n, Input: n * worst.Input, Output: n * worst.Output, MicroUSD: int64(n) * worst.MicroUSD,
	}
}

// validate reports what is wrong with what is asked of the models. It leaves out their names, which are needed where
// something asks them: see validateAcross.
func (l LLM) validate() []error {
	f := findings{section: "llm."}
	if t := l.Temperature; t != nil {
		f.check(*t >= 0 && *t <= 2, "temperature", *t, "a number from 0 to 2, or null to leave it to the server")
	}
	f.between("max_tokens", l.MaxTokens, 1, maxAnswer)
	f.between("repairs", l.Repairs, 0, maxAttempts)
	return f.errs
}

// validateAccess reports what is wrong with endpoints and prices. capped is true if there is a limit on money. The
// errors do not repeat values that might be keys.
func (l LLM) validateAccess(capped bool) []error {
	var errs []error
	models := l.Models()
	for _, role := range slices.Sorted(maps.Keys(l.Endpoints)) {
		if _, ok := models[role]; !ok {
			errs = append(errs,
				fmt.Errorf("config: llm.endpoints has %q, want the roles %s", role, strings.Join(Roles, ", ")))
			continue
		}
		e := l.Endpoints[role]
		for _, v := range [][2]string{{"url", e.URL}, {"key", e.Key}} {
			if foreign := reserved.FindString(v[1]); foreign != "" {
				errs = append(errs, fmt.Errorf("config: llm.endpoints.%s.%s names a variable %s…, which is for "+
					"another server than the LLM", role, v[0], foreign))
			}
			if v[1] != "" && !variable.MatchString(v[1]) {
				errs = append(errs, fmt.Errorf("config: llm.endpoints.%s.%s is no name of an environment variable, "+
					"want one like CRITIC_BASE_URL; the value itself belongs into the worker's environment",
					role, v[0]))
			}
		}
	}
	for _, model := range slices.Sorted(maps.Keys(l.Prices)) {
		if p := l.Prices[model]; !(p.Input >= 0 && p.Output >= 0 && p.Input < 1e6 && p.Output < 1e6) {
			errs = append(errs, fmt.Errorf("config: llm.prices.%s is %v in, %v out, "+
				"want USD per million tokens, 0 or more", model, p.Input, p.Output))
		}
	}
	for _, role := range slices.Sorted(maps.Keys(models)) {
		if _, priced := l.Prices[models[role]]; capped && !priced {
			errs = append(errs, fmt.Errorf("config: limits.usd cannot be kept, since llm.prices has no %q, "+
				"the model of the %s", models[role], role))
		}
	}
	return errs
}
