// Package ledger counts what a run spends on language models and keeps it within hard limits: calls, tokens, money.
//
// A budget is divided before it is spent. Callers that ask at the same time get equal shares of what is left. Callers
// that ask one after another get all of it. A call is made only if its prompt and the longest answer that it allows
// fit. So the budget covers all calls on their way, on any worker and whatever crashes, and the same answers always
// lead to the same decisions. Workflows divide (workflows/waves.go), and a Ledger refuses what does not fit into its
// share. The cost is that some of a budget stays unspent: for each caller that asked last, less
// than one call.
//
// For example, two callers share a budget of five calls. Each gets two, and the fifth is left for the next round. A
// caller with 3,000 tokens left does not send a prompt of 1,000 tokens if its answer may have 2,048.
package ledger
