package routing

// NearOptimal returns a solution to measure others by where no optimum is known: iterated local search from farthest insertion,
// 100 kicks per node, for TSP; ruin and recreate from savings, 100 rounds per node, for CVRP. At 200 nodes it is
// 0.1 % above the optimum in TSP and 0.3 % above LKH's solutions in CVRP (TestNearOptimal in internal/instances measures it).
func NearOptimal(inst *Instance) []int32 {
	effort := 100 * inst.N()
	if inst.Problem == CVRP {
		return IteratedRoutes(inst, Savings(inst), effort, 1)
	}
	return IteratedTwoOpt(inst, FarthestInsertion(inst), effort, 1)
}
