// Package rollout turns a policy into data: trajectories on instances of a problem, the decision states on them and the
// policy's distribution π_T(·|s) on each, kept in shards that are safetensors files readable from any language.
//
// Record makes a shard of a policy that runs here, Import of rollouts that any program wrote. Validate replays a shard
// state by state with the rules of the problem alone.
package rollout
