// Package llm asks a language model through any server that speaks OpenAI's chat completions.
//
// Client has the only retry layer and one total deadline per call, and leaves a server that failed alone for a while. Cached stores
// every answer under the hash of its request before anyone uses it, so that a retry, a resume or a second run never pays twice; what
// the rule-based stand-in answered gives way to a language model. Code and Tagged take programs out of a model's prose. The prompts
// themselves live in package textgrad.
package llm
