// Package habits measures how a routing policy behaves, in the words of a person who watches it: which way round it
// goes, where it starts, how near its choices are, how sure it is, whether it follows the convex hull, whether its
// edges cross, and for CVRP how full the vehicle is when it comes home and in which order the routes follow each other.
//
// A habit is a fact about the policy as a whole. Single states do not show it: that all greedy tours of AM run
// counterclockwise from one corner is invisible in any one decision and explains many.
//
// Everything is counted over the trajectories and decision states of rollout shards, so a policy that is known only by
// its rollouts has habits too. All measures are functions of the shards: no seed, no sampling.
package habits
