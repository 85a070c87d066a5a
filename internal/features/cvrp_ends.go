package features

// cvrpNodeEnds has the phrases of the features of a candidate: those of a high value, and of a low one.
func cvrpNodeEnds() map[string]Ends {
	return map[string]Ends{
		"depot":            {"the depot", "customers"},
		"distance":         {"far customers", "near customers"},
		"log_distance":     {"customers that are not near", "very near customers"},
		"distance_squared": {"very far customers", "customers that are not far"},
		"distance_ratio":   {"customers much farther than the nearest", "customers about as near as the nearest"},
		"rank":             {"customers with many nearer ones", "customers with few nearer ones"},
		"to_depot":         {"customers far from the depot", "customers near the depot"},
		"home_detour":      {"customers far off the way home", "customers on the way home"},
		"saving":           {"customers to which driving on saves much", "customers to which driving on saves little"},
		"outward_step":     {"customers farther out", "customers farther in"},
		"towards_depot":    {"customers in the direction of home", "customers away from home"},
		"left_of_home":     {"customers to the left of the way home", "customers to the right of the way home"},
		"to_centroid":      {"customers far from the centroid", "customers near the centroid"},
		"towards_centroid": {"customers towards the centroid", "customers away from the centroid"},
		"left_of_centroid": {
			"customers to the left of the way to the centroid",
			"customers to the right of the way to the centroid",
		},
		"place_x":           {"customers far right in the square", "customers far left in the square"},
		"place_y":           {"customers far up in the square", "customers far down in the square"},
		"direction_x":       {"customers to the right", "customers to the left"},
		"direction_y":       {"customers above", "customers below"},
		"to_edge":           {"customers in the middle of the square", "customers at the edge of the square"},
		"load":              {"customers with much demand", "customers with little demand"},
		"room_after":        {"customers that leave much room", "customers that leave little room"},
		"fill":              {"customers that take most of the room", "customers that take little of the room"},
		"fit_share_after":   {"customers after which many still fit", "customers after which few still fit"},
		"next_fit_distance": {"customers far from the next that fits", "customers close to the next that fits"},
		"larger":            {"customers with more demand than most", "customers with less demand than most"},
		"demand_near_2":     {"customers with much demand about them", "customers with little demand about them"},
		"fit_near_2": {
			"customers with many about them that still fit",
			"customers with none about them that still fits",
		},
		"sector_step": {"customers on counterclockwise about the depot", "customers on clockwise about the depot"},
		"sector_from_first": {
			"customers counterclockwise of the first of the route",
			"customers clockwise of the first of the route",
		},
		"sector_x": {"customers to the right of the depot", "customers to the left of the depot"},
		"sector_y": {"customers above the depot", "customers below the depot"},
		"sector_gap_right": {
			"customers with a free sector clockwise of them",
			"customers with no free sector clockwise of them",
		},
		"sector_gap_left": {
			"customers with a free sector counterclockwise of them",
			"customers with no free sector counterclockwise of them",
		},
		"sector_load": {"customers in a sector with much demand", "customers in a sector with little demand"},
		"isolation":   {"isolated customers", "customers with a close neighbour"},
		"regret":      {"customers with a single close neighbour", "customers with two neighbours about equally close"},
		"two_step":    {"customers with a long step on", "customers with a short step on"},
		"rise": {
			"customers with a longer step on than the step to them",
			"customers with a shorter step on than the step to them",
		},
		"second_rise": {
			"customers whose second neighbour is farther than the vehicle",
			"customers with two neighbours closer than the vehicle",
		},
		"closer": {
			"customers with many neighbours closer than the vehicle",
			"customers to which the vehicle is the closest",
		},
		"onward": {
			"customers whose nearest neighbour lies farther on",
			"customers whose nearest neighbour lies back",
		},
		"missed": {
			"customers that their neighbours would miss",
			"customers that their neighbours would not miss",
		},
		"neighbour_regret": {"customers whose neighbour depends on them", "customers whose neighbour has others"},
		"skip": {
			"customers that are dear to leave for later",
			"customers that are cheap to leave for later",
		},
		"via": {"customers that are best gone to directly", "customers with another one on the way"},
		"via_right": {
			"customers with nothing on the way on the right",
			"customers with another one on the way on the right",
		},
		"via_left": {
			"customers with nothing on the way on the left",
			"customers with another one on the way on the left",
		},
		"left_behind": {"customers that leave much behind", "customers that leave little behind"},
		"left_behind_most": {
			"customers that leave one customer far behind",
			"customers that leave no customer far behind",
		},
		"left_behind_right": {
			"customers that leave much behind on the right",
			"customers that leave little behind on the right",
		},
		"left_behind_left": {
			"customers that leave much behind on the left",
			"customers that leave little behind on the left",
		},
		"second_step": {"customers with a dear step on", "customers with a cheap step on"},
		"nearest_left_behind": {
			"customers that leave the nearest one behind",
			"customers that do not leave the nearest one behind",
		},
		"left_share": {"customers with most others on their left", "customers with most others on their right"},
		"cut": {
			"customers on a way that cuts the others in two",
			"customers on a way that has the others on one side",
		},
		"wedge_right": {
			"customers with a wide free angle on their right",
			"customers with no free angle on their right",
		},
		"wedge_left": {
			"customers with a wide free angle on their left",
			"customers with no free angle on their left",
		},
		"right_here_2": {
			"customers with others near on their right",
			"customers with no other near on their right",
		},
		"left_here_2": {"customers with others near on their left", "customers with no other near on their left"},
		"right_more_4": {
			"customers with more others on the right than on the left",
			"customers with more others on the left than on the right",
		},
		"ahead_here_4":     {"customers in the direction of many others", "customers in a direction without others"},
		"density_1":        {"customers with very near neighbours", "customers without very near neighbours"},
		"density_2":        {"customers in a crowd", "customers in an empty place"},
		"density_4":        {"customers in a crowded part", "customers in an empty part"},
		"density_right_2":  {"customers with a crowd on the right", "customers with nobody near on the right"},
		"density_left_2":   {"customers with a crowd on the left", "customers with nobody near on the left"},
		"density_beyond_2": {"customers with a crowd behind them", "customers with nothing behind them"},
		"tip_along_1": {
			"customers whose near neighbours lie straight on",
			"customers whose near neighbours lie back",
		},
		"tip_across_1": {
			"customers whose near neighbours lie to the left",
			"customers whose near neighbours lie to the right",
		},
		"tip_1":       {"customers whose near neighbours lie on one side", "customers with near neighbours all round"},
		"tip_along_3": {"customers whose neighbours lie straight on", "customers whose neighbours lie back"},
		"tip_across_3": {
			"customers whose neighbours lie to the left",
			"customers whose neighbours lie to the right",
		},
		"tip_3":      {"customers whose neighbours lie on one side", "customers with neighbours all round"},
		"outlying":   {"outlying customers", "central customers"},
		"out_along":  {"customers with all others straight on", "customers with all others behind the vehicle"},
		"out_across": {"customers with all others to the left", "customers with all others to the right"},
		"open_angle": {"customers with a wide open angle", "customers that others surround"},
		"open_ahead": {"customers whose open side lies straight on", "customers whose open side lies back"},
		"open_left": {
			"customers whose open side lies to the left",
			"customers whose open side lies to the right",
		},
		"served_distance":  {"customers far from what is done with", "customers close to what is done with"},
		"served_density_2": {"customers among served ones", "customers away from served ones"},
		"served_share_2": {
			"customers in a place that is nearly done with",
			"customers in a place that is hardly begun",
		},
		"off_home": {"customers far to the left of the way home", "customers far to the right of the way home"},
		"same_side": {
			"customers on the fuller side of the way home",
			"customers on the emptier side of the way home",
		},
		"in_triangle": {
			"customers with others between them and the way home",
			"customers with no other between them and the way home",
		},
		"home_right": {
			"customers with most others to the right of their way home",
			"customers with most others to the left of their way home",
		},
		"home_right_near_2": {
			"customers with neighbours to the right of their way home",
			"customers with neighbours to the left of their way home",
		},
		"farther_from_depot": {
			"customers nearer to the depot than most",
			"customers farther from the depot than most",
		},
		"depot_distance":  {"the depot if it is far", "the depot if it is near"},
		"depot_room":      {"the depot if much room is left", "the depot if little room is left"},
		"depot_fit_share": {"the depot if most customers fit", "the depot if few customers fit"},
		"depot_nearest_fit": {
			"the depot if every customer that fits is far",
			"the depot if a customer that fits is near",
		},
		"depot_least_detour": {
			"the depot if every detour on the way home is dear",
			"the depot if some detour on the way home is cheap",
		},
		"depot_fullest_fill": {
			"the depot if some customer would fill the vehicle",
			"the depot if no customer would fill the vehicle",
		},
		"depot_fit_density_2": {"the depot if many customers fit nearby", "the depot if no customer fits nearby"},
		"depot_density_2": {
			"the depot if many customers nearby stay unserved",
			"the depot if no customer nearby stays unserved",
		},
		"depot_loads_left": {"the depot if many loads are left", "the depot if few loads are left"},
		"depot_all_fit": {
			"the depot if the rest fits into the vehicle",
			"the depot if the rest does not fit into the vehicle",
		},
		"depot_centroid_distance": {"the depot if the centroid is far", "the depot if the centroid is near"},
		"depot_late":              {"the depot if it is late", "the depot if it is early"},
	}
}

// cvrpStateEnds has the phrases of the features of a state: where the value is high, and where it is low.
func cvrpStateEnds() map[string]Ends {
	return map[string]Ends{
		"progress":     {"late in the plan", "early in the plan"},
		"room":         {"with much room left", "with little room left"},
		"at_depot":     {"at the depot", "on the road"},
		"few_waiting":  {"with few customers left", "with many customers left"},
		"fitting":      {"where many customers fit", "where few customers fit"},
		"loads_left":   {"with many loads left", "with few loads left"},
		"all_fit":      {"where the rest fits into the vehicle", "where the rest does not fit into the vehicle"},
		"fit_share":    {"where most customers fit", "where few of the customers fit"},
		"fullest_fill": {"where some customer would fill the vehicle", "where no customer would fill the vehicle"},
		"nearest_fit":  {"far from every customer that fits", "close to a customer that fits"},
		"least_home_detour": {
			"where every detour on the way home is dear",
			"where some detour on the way home is cheap",
		},
		"home_distance":   {"far from home", "near home"},
		"nearest_to_home": {"where home is nearer than the customers", "where a customer is much nearer than home"},
		"nearest_to_mean": {
			"where the customers are about equally far",
			"where one customer is much nearer than the mean",
		},
		"centroid_distance": {"far from the centroid", "near the centroid"},
		"centroid_from_depot": {
			"where the customers left are far from the depot",
			"where the customers left are about the depot",
		},
		"centroid_off_home": {
			"with the centroid to the left of the way home",
			"with the centroid to the right of the way home",
		},
		"spread":    {"where the customers left are spread widely", "where the customers left are close together"},
		"one_sided": {"where the customers left lie on one side", "where the customers left lie all round"},
		"depot_one_sided": {
			"where the customers left lie on one side of the depot",
			"where the customers left lie round the depot",
		},
		"most_isolation": {"where some customer is lonely", "where no customer is lonely"},
		"most_skip":      {"where some customer is dear to leave", "where every customer is cheap to leave"},
		"depot_nearest": {
			"where the depot is far from the customers left",
			"where some customer left is near the depot",
		},
		"left_of_home_share": {
			"where most customers are to the left of the way home",
			"where most customers are to the right of the way home",
		},
		"density_here_2":     {"in a crowd of customers", "in an empty place"},
		"fit_density_here_2": {"where many customers fit nearby", "where no customer fits nearby"},
		"within_1_5":         {"where many customers are very near", "where few customers are very near"},
		"within_3":           {"where many customers are near", "where few customers are near"},
		"place_x_here":       {"on the right of the square", "on the left of the square"},
		"place_y_here":       {"at the top of the square", "at the bottom of the square"},
		"depot_place_x":      {"with the depot on the right of the square", "with the depot on the left of the square"},
		"depot_place_y":      {"with the depot at the top of the square", "with the depot at the bottom of the square"},
		"second_distance": {
			"where the second-nearest customer is far",
			"where the second-nearest customer is near",
		},
		"nearest_isolation": {
			"where the nearest customer is isolated",
			"where the nearest customer has close neighbours",
		},
		"second_isolation": {
			"where the second-nearest customer is isolated",
			"where the second-nearest customer has close neighbours",
		},
		"nearest_skip": {
			"where the nearest customer is dear to leave",
			"where the nearest customer is cheap to leave",
		},
		"second_skip": {
			"where the second-nearest customer is dear to leave",
			"where the second-nearest customer is cheap to leave",
		},
		"nearest_home_detour": {
			"where the nearest customer is far off the way home",
			"where the nearest customer is on the way home",
		},
		"second_home_detour": {
			"where the second-nearest customer is far off the way home",
			"where the second-nearest customer is on the way home",
		},
		"nearest_saving_here": {
			"where driving on to the nearest customer saves much",
			"where driving on to the nearest customer saves little",
		},
		"second_saving_here": {
			"where driving on to the second-nearest customer saves much",
			"where driving on to the second-nearest customer saves little",
		},
		"nearest_load": {
			"where the nearest customer has much demand",
			"where the nearest customer has little demand",
		},
		"second_load": {
			"where the second-nearest customer has much demand",
			"where the second-nearest customer has little demand",
		},
		"nearest_fill": {
			"where the nearest customer takes most of the room",
			"where the nearest customer takes little of the room",
		},
		"second_fill": {
			"where the second-nearest customer takes most of the room",
			"where the second-nearest customer takes little of the room",
		},
		"nearest_to_depot": {
			"where the nearest customer is far from the depot",
			"where the nearest customer is near the depot",
		},
		"second_to_depot": {
			"where the second-nearest customer is far from the depot",
			"where the second-nearest customer is near the depot",
		},
		"nearest_cut": {
			"where the way to the nearest customer cuts the others in two",
			"where the way to the nearest customer has the others on one side",
		},
		"second_cut": {
			"where the way to the second-nearest customer cuts the others in two",
			"where the way to the second-nearest customer has the others on one side",
		},
		"nearest_outlying": {"where the nearest customer is outlying", "where the nearest customer is central"},
		"second_outlying": {
			"where the second-nearest customer is outlying",
			"where the second-nearest customer is central",
		},
		"nearest_left_behind_sum": {
			"where going to the nearest customer leaves much behind",
			"where going to the nearest customer leaves little behind",
		},
		"second_left_behind_sum": {
			"where going to the second-nearest customer leaves much behind",
			"where going to the second-nearest customer leaves little behind",
		},
		"nearest_sector_step": {
			"where the nearest customer lies on counterclockwise",
			"where the nearest customer lies on clockwise",
		},
		"second_sector_step": {
			"where the second-nearest customer lies on counterclockwise",
			"where the second-nearest customer lies on clockwise",
		},
		"nearest_wedge_right": {
			"with a wide free angle to the right of the nearest customer",
			"with no free angle to the right of the nearest customer",
		},
		"second_wedge_right": {
			"with a wide free angle to the right of the second-nearest customer",
			"with no free angle to the right of the second-nearest customer",
		},
	}
}
