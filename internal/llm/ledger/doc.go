// Package ledger counts what a run spends on language models and keeps it within hard limits: calls, tokens, money.
//
// A budget is divided before it is spent. Callers that ask at the same time get equal shares of what is left, callers
// that ask one after another all of it; a call is made only if its prompt and the longest answer it allows fit. So calls
// in flight are always covered, whoever runs them and whatever crashes, and the same answers always lead to the same
// decisions. The price is that some of a budget stays unspent: less than a call of each caller that asked last.
package ledger
