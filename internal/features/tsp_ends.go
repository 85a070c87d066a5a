package features

// tspNodeEnds has the phrases of the features of a candidate: those of a high value, and of a low one.
func tspNodeEnds() map[string]Ends {
	return map[string]Ends{
		"distance":            {"far cities", "near cities"},
		"log_distance":        {"cities that are not near", "very near cities"},
		"distance_squared":    {"very far cities", "cities that are not far"},
		"distance_ratio":      {"cities much farther than the nearest", "cities about as near as the nearest"},
		"is_nearest":          {"the nearest city", "another city than the nearest"},
		"rank":                {"cities with many nearer ones", "cities with few nearer ones"},
		"to_start":            {"cities far from the start", "cities near the start"},
		"is_nearest_to_start": {"the city nearest to the start", "another city than the one nearest to the start"},
		"towards_start":       {"cities towards the start", "cities away from the start"},
		"left_of_start": {
			"cities to the left of the way to the start",
			"cities to the right of the way to the start",
		},
		"to_centroid":      {"cities far from the centroid", "cities near the centroid"},
		"towards_centroid": {"cities towards the centroid", "cities away from the centroid"},
		"left_of_centroid": {
			"cities to the left of the way to the centroid",
			"cities to the right of the way to the centroid",
		},
		"place_x":     {"cities far right in the square", "cities far left in the square"},
		"place_y":     {"cities far up in the square", "cities far down in the square"},
		"direction_x": {"cities to the right", "cities to the left"},
		"direction_y": {"cities above", "cities below"},
		"to_edge":     {"cities in the middle of the square", "cities at the edge of the square"},
		"isolation":   {"isolated cities", "cities with a close neighbour"},
		"regret":      {"cities with a single close neighbour", "cities with two neighbours about equally close"},
		"two_step":    {"cities with a long step on", "cities with a short step on"},
		"rise": {
			"cities with a longer step on than the step to them",
			"cities with a shorter step on than the step to them",
		},
		"second_rise": {
			"cities whose second neighbour is farther than the current city",
			"cities with two neighbours closer than the current city",
		},
		"closer": {
			"cities with many neighbours closer than the current city",
			"cities to which the current city is the closest",
		},
		"onward": {
			"cities whose nearest neighbour lies farther on",
			"cities whose nearest neighbour lies back",
		},
		"skip":             {"cities that are dear to leave for later", "cities that are cheap to leave for later"},
		"missed":           {"cities that their neighbours would miss", "cities that their neighbours would not miss"},
		"missed_most":      {"cities that one neighbour would miss", "cities that no neighbour would miss"},
		"neighbour_regret": {"cities whose neighbour depends on them", "cities whose neighbour has others"},
		"via":              {"cities that are best gone to directly", "cities with another one on the way"},
		"via_right": {
			"cities with nothing on the way on the right",
			"cities with another one on the way on the right",
		},
		"via_left": {
			"cities with nothing on the way on the left",
			"cities with another one on the way on the left",
		},
		"left_behind":      {"cities that leave much behind", "cities that leave little behind"},
		"left_behind_most": {"cities that leave one city far behind", "cities that leave no city far behind"},
		"left_behind_right": {
			"cities that leave much behind on the right",
			"cities that leave little behind on the right",
		},
		"left_behind_left": {
			"cities that leave much behind on the left",
			"cities that leave little behind on the left",
		},
		"second_step": {"cities with a dear step on", "cities with a cheap step on"},
		"via_nearest": {"cities far off the nearest one", "cities with the nearest one on the way"},
		"nearest_left_behind": {
			"cities that leave the nearest one behind",
			"cities that do not leave the nearest one behind",
		},
		"left_share": {"cities with most others on their left", "cities with most others on their right"},
		"cut": {
			"cities on a way that cuts the others in two",
			"cities on a way that has the others on one side",
		},
		"wedge_right": {"cities with a wide free angle on their right", "cities with no free angle on their right"},
		"wedge_left":  {"cities with a wide free angle on their left", "cities with no free angle on their left"},
		"right_here_1": {
			"cities with others very near on their right",
			"cities with no other very near on their right",
		},
		"right_here_2": {"cities with others near on their right", "cities with no other near on their right"},
		"right_here_4": {"cities with many others on their right", "cities with few others on their right"},
		"left_here_1": {
			"cities with others very near on their left",
			"cities with no other very near on their left",
		},
		"left_here_2": {"cities with others near on their left", "cities with no other near on their left"},
		"left_here_4": {"cities with many others on their left", "cities with few others on their left"},
		"right_more_2": {
			"cities with more near ones on the right than on the left",
			"cities with more near ones on the left than on the right",
		},
		"right_more_4": {
			"cities with more others on the right than on the left",
			"cities with more others on the left than on the right",
		},
		"ahead_4": {"cities in the direction of many others", "cities in a direction without others"},
		"crowd_1": {"cities with very near neighbours", "cities without very near neighbours"},
		"crowd_2": {"cities in a crowd", "cities in an empty place"},
		"crowd_4": {"cities in a crowded part", "cities in an empty part"},
		"crowd_right_1": {
			"cities with very near neighbours on the right",
			"cities without very near neighbours on the right",
		},
		"crowd_right_2": {"cities with a crowd on the right", "cities with nobody near on the right"},
		"crowd_left_1": {
			"cities with very near neighbours on the left",
			"cities without very near neighbours on the left",
		},
		"crowd_left_2":    {"cities with a crowd on the left", "cities with nobody near on the left"},
		"crowd_beyond_2":  {"cities with a crowd behind them", "cities with nothing behind them"},
		"crowd_between_2": {"cities with a crowd before them", "cities with nothing before them"},
		"tip_along_1":     {"cities whose near neighbours lie straight on", "cities whose near neighbours lie back"},
		"tip_across_1": {
			"cities whose near neighbours lie to the left",
			"cities whose near neighbours lie to the right",
		},
		"tip_1":          {"cities whose near neighbours lie on one side", "cities with near neighbours all round"},
		"tip_along_3":    {"cities whose neighbours lie straight on", "cities whose neighbours lie back"},
		"tip_across_3":   {"cities whose neighbours lie to the left", "cities whose neighbours lie to the right"},
		"tip_3":          {"cities whose neighbours lie on one side", "cities with neighbours all round"},
		"outlying":       {"outlying cities", "central cities"},
		"out_along":      {"cities with all others straight on", "cities with all others behind the current one"},
		"out_across":     {"cities with all others to the left", "cities with all others to the right"},
		"gap":            {"cities with a wide open angle", "cities that others surround"},
		"on_hull":        {"corners of the hull", "cities inside the hull"},
		"gap_ahead":      {"cities whose open side lies straight on", "cities whose open side lies back"},
		"gap_left":       {"cities whose open side lies to the left", "cities whose open side lies to the right"},
		"start_triangle": {"cities far off the way to the start", "cities close to the way to the start"},
		"off_start": {
			"cities far to the left of the way to the start",
			"cities far to the right of the way to the start",
		},
		"same_side": {
			"cities on the fuller side of the way to the start",
			"cities on the emptier side of the way to the start",
		},
		"in_triangle": {
			"cities with others between them and the way to the start",
			"cities with no other between them and the way to the start",
		},
		"home_right": {
			"cities with most others to the right of their way to the start",
			"cities with most others to the left of their way to the start",
		},
		"home_right_near_2": {
			"cities with neighbours to the right of their way to the start",
			"cities with neighbours to the left of their way to the start",
		},
		"farther_from_start": {"cities nearer to the start than most", "cities farther from the start than most"},
		"farther_from_centroid": {
			"cities nearer to the centroid than most",
			"cities farther from the centroid than most",
		},
		"angle":      {"cities far round counterclockwise", "cities not far round counterclockwise"},
		"angle_step": {"cities that lie on counterclockwise", "cities that lie on clockwise"},
		"arc_step":   {"cities a long way on counterclockwise", "cities a long way on clockwise"},
		"angle_lag":  {"cities far ahead of the last one counterclockwise", "the last cities counterclockwise"},
		"radius":     {"cities far from the middle of all cities", "cities near the middle of all cities"},
		"behind": {
			"cities with many others before them counterclockwise",
			"cities with few others before them counterclockwise",
		},
		"behind_near_2": {
			"cities with neighbours before them counterclockwise",
			"cities with no neighbour before them counterclockwise",
		},
		"behind_here_2": {
			"cities with near ones before them counterclockwise",
			"cities with no near one before them counterclockwise",
		},
		"visited_distance": {"cities far from visited ones", "cities close to visited ones"},
		"visited_crowd_2":  {"cities among visited ones", "cities away from visited ones"},
		"visited_share_2":  {"cities in a place that is nearly done with", "cities in a place that is hardly begun"},
		"visited_right_2":  {"cities with visited ones on the right", "cities with no visited one on the right"},
		"visited_left_2":   {"cities with visited ones on the left", "cities with no visited one on the left"},
		"visited_right_here_2": {
			"cities with near visited ones on their right",
			"cities with no near visited one on their right",
		},
	}
}

// tspStateEnds has the phrases of the features of a state: where the value is high, and where it is low.
func tspStateEnds() map[string]Ends {
	return map[string]Ends{
		"progress":         {"late in the tour", "early in the tour"},
		"few_left":         {"with hardly any cities left", "with more than a few cities left"},
		"cities_left":      {"with many cities left", "with few cities left"},
		"nearest_distance": {"far from every city", "close to a city"},
		"second_ratio":     {"where one city is by far the nearest", "where two cities are about equally near"},
		"third_ratio":      {"where at most two cities are near", "where three cities are about equally near"},
		"nearest_to_mean": {
			"where the cities are about equally far",
			"where one city is much nearer than the mean",
		},
		"start_distance":    {"far from the start", "near the start"},
		"centroid_distance": {"far from the centroid", "near the centroid"},
		"centroid_from_start": {
			"where the cities left are far from the start",
			"where the cities left are about the start",
		},
		"centroid_off_start": {
			"with the centroid to the left of the way to the start",
			"with the centroid to the right of the way to the start",
		},
		"spread":    {"where the cities left are spread widely", "where the cities left are close together"},
		"one_sided": {"where the cities left lie on one side", "where the cities left lie all round"},
		"start_one_sided": {
			"where the cities left lie on one side of the start",
			"where the cities left lie round the start",
		},
		"nearest_isolation": {"where the nearest city is isolated", "where the nearest city has close neighbours"},
		"second_isolation": {
			"where the second-nearest city is isolated",
			"where the second-nearest city has close neighbours",
		},
		"most_isolation": {"where some city is lonely", "where no city is lonely"},
		"nearest_skip":   {"where the nearest city is dear to leave", "where the nearest city is cheap to leave"},
		"second_skip": {
			"where the second-nearest city is dear to leave",
			"where the second-nearest city is cheap to leave",
		},
		"most_skip": {"where some city is dear to leave", "where every city is cheap to leave"},
		"nearest_cut": {
			"where the way to the nearest city cuts the others in two",
			"where the way to the nearest city has the others on one side",
		},
		"second_cut": {
			"where the way to the second-nearest city cuts the others in two",
			"where the way to the second-nearest city has the others on one side",
		},
		"nearest_cosine": {
			"where the two nearest cities lie in one direction",
			"where the two nearest cities lie in opposite directions",
		},
		"nearest_sine": {
			"where the second-nearest city lies to the left of the nearest",
			"where the second-nearest city lies to the right of the nearest",
		},
		"nearest_to_start_less": {
			"where the nearest city is farther from the start than the second",
			"where the nearest city is closer to the start than the second",
		},
		"nearest_is_nearest_to_start": {
			"where the nearest city is the one nearest to the start",
			"where another city than the nearest is closer to the start",
		},
		"second_via": {
			"where a detour on the way to the second-nearest city is dear",
			"where a detour on the way to the second-nearest city is cheap",
		},
		"start_nearest":    {"where the start is far from the cities left", "where some city left is near the start"},
		"nearest_outlying": {"where the nearest city is outlying", "where the nearest city is central"},
		"second_outlying": {
			"where the second-nearest city is outlying",
			"where the second-nearest city is central",
		},
		"nearest_apart": {
			"where the two nearest cities are far apart",
			"where the two nearest cities are close together",
		},
		"crowd_here_2":  {"in a crowd of cities", "in an empty place"},
		"place_x_here":  {"on the right of the square", "on the left of the square"},
		"place_y_here":  {"at the top of the square", "at the bottom of the square"},
		"start_place_x": {"after a start on the right of the square", "after a start on the left of the square"},
		"start_place_y": {"after a start at the top of the square", "after a start at the bottom of the square"},
		"angle_here":    {"far round counterclockwise", "not far round counterclockwise"},
		"least_angle": {
			"where the last city counterclockwise is far round",
			"where the last city counterclockwise is not far round",
		},
		"behind_share": {
			"where many cities were left behind counterclockwise",
			"where few cities were left behind counterclockwise",
		},
		"left_of_start_share": {
			"where most cities are to the left of the way to the start",
			"where most cities are to the right of the way to the start",
		},
		"within_1_5":     {"where many cities are very near", "where few cities are very near"},
		"within_3":       {"where many cities are near", "where few cities are near"},
		"visited_here_2": {"among visited cities", "away from visited cities"},
		"nearest_right_here_2": {
			"with many near cities to the right of the nearest",
			"with few near cities to the right of the nearest",
		},
		"second_right_here_2": {
			"with many near cities to the right of the second-nearest",
			"with few near cities to the right of the second-nearest",
		},
		"nearest_right_more_4": {
			"with most cities to the right of the nearest",
			"with most cities to the left of the nearest",
		},
		"nearest_left_behind_sum": {
			"where going to the nearest city leaves much behind",
			"where going to the nearest city leaves little behind",
		},
		"second_left_behind_sum": {
			"where going to the second-nearest city leaves much behind",
			"where going to the second-nearest city leaves little behind",
		},
		"nearest_wedge_right": {
			"with a wide free angle to the right of the nearest city",
			"with no free angle to the right of the nearest city",
		},
		"second_wedge_right": {
			"with a wide free angle to the right of the second-nearest city",
			"with no free angle to the right of the second-nearest city",
		},
		"nearest_on_hull": {
			"where the nearest city is a corner of the hull",
			"where the nearest city is inside the hull",
		},
		"nearest_behind": {
			"where many cities come before the nearest one counterclockwise",
			"where few cities come before the nearest one counterclockwise",
		},
		"second_behind": {
			"where many cities come before the second-nearest one counterclockwise",
			"where few cities come before the second-nearest one counterclockwise",
		},
	}
}
