//! Synonyms of families: the names in networkx, in govariants, and in Ludii, and names of tilings
//! by the polygons around a vertex.
//!
//! Only names whose arguments have the same meaning are listed. Separators between words and a
//! final `_graph` are ignored, so `complete_bipartite_graph` and `Complete-Bipartite` are the same
//! name.

/// Synonym and family, both in plain form.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("square", "grid"),
    ("rectangle", "grid"),
    ("grid2d", "grid"),
    ("toroidal", "torus"),
    ("moebius", "mobius"),
    ("kings", "king"),
    ("linear", "path"),
    ("completebipartite", "bipartite"),
    ("balancedtree", "tree"),
    ("generalizedpetersen", "gpetersen"),
    ("generalisedpetersen", "gpetersen"),
    ("circularladder", "prism"),
    ("tetrahedral", "tetrahedron"),
    ("hexahedron", "cube"),
    ("cubical", "cube"),
    ("octahedral", "octahedron"),
    ("dodecahedral", "dodecahedron"),
    ("icosahedral", "icosahedron"),
    ("truncatedhexahedron", "truncatedcube"),
    ("smallrhombicuboctahedron", "rhombicuboctahedron"),
    ("greatrhombicuboctahedron", "truncatedcuboctahedron"),
    ("truncatedicosahedron", "c60"),
    ("buckyball", "c60"),
    ("smallrhombicosidodecahedron", "rhombicosidodecahedron"),
    ("greatrhombicosidodecahedron", "truncatedicosidodecahedron"),
    ("hexagonal", "honeycomb"),
    ("trihexagonal", "kagome"),
    ("t3636", "kagome"),
    ("polygonal", "rhombitrihexagonal"),
    ("t3464", "rhombitrihexagonal"),
    ("snubtrihexagonal", "snubhexagonal"),
    ("t33336", "snubhexagonal"),
    ("t31212", "truncatedhexagonal"),
    ("t4612", "truncatedtrihexagonal"),
    ("t488", "truncatedsquare"),
    ("t33434", "snubsquare"),
    ("t33344", "elongatedtriangular"),
    ("circular", "rings"),
    ("concentric", "rings"),
    ("tetrahedrallattice", "diamond"),
    ("sierpinsky", "sierpinski"),
    ("sierpinskigasket", "sierpinski"),
    ("gnprandom", "gnp"),
    ("erdosrenyi", "gnp"),
    ("binomial", "gnp"),
    ("gnmrandom", "gnm"),
    ("randomregular", "regular"),
    ("wattsstrogatz", "smallworld"),
    ("barabasialbert", "barabasi"),
    ("randomlabeledtree", "randomtree"),
    ("pruefer", "randomtree"),
    ("prufer", "randomtree"),
    ("cartesian", "product"),
    ("cartesianproduct", "product"),
    ("strongproduct", "strong"),
    ("lexicographicproduct", "lexicographic"),
    ("subdivision", "subdivide"),
    ("delete", "remove"),
    ("contract", "quotient"),
];

/// Returns a name in plain form: lower case, without separators between words.
pub(super) fn plain(name: &str) -> String {
    let signs = name.chars().filter(|c| !matches!(c, '-' | '_'));
    signs.map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns the family with this synonym, or the name itself. The name must be in plain form.
pub(super) fn family(name: &str) -> &str {
    let find = |name: &str| SYNONYMS.iter().find(|(other, _)| *other == name);
    find(name).map_or(name, |(_, family)| family)
}

/// Returns the synonyms of a family.
pub fn of(family: &str) -> impl Iterator<Item = &'static str> {
    let names = SYNONYMS.iter().filter(move |(_, own)| *own == family);
    names.map(|(name, _)| *name)
}
