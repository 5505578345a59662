//! XML: GraphML, its dialect of yEd, and GEXF.

use super::*;

#[test]
fn gexf_is_read() {
    let text = r#"<?xml version="1.0"?><!-- Gephi --><gexf xmlns:viz="v"><graph defaultedgetype="undirected">
        <attributes class="node"><attribute id="0" title="stone" type="string"/></attributes>
        <edges><edge source="0" target="1" weight="2.5"/></edges>
        <nodes><node id="0" label="Hello"><attvalues><attvalue for="0" value="black"/></attvalues>
        <viz:position x="1" y="2" z="0.0"/></node>
        <node id="1" label="Word" pid="0"><viz:position x="3" y="4"/></node></nodes></graph></gexf>"#;
    let goban = read_file("g.gexf", text).unwrap();
    assert_eq!(named_edges(&goban), ["Hello-Word"]);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(2.5));
    assert_eq!(places(&goban), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(goban.start, [Some(Color::BLACK), None]);
    let directed = text.replace("\"undirected\"", "\"directed\"");
    let problem = read_file("g.gexf", &directed).unwrap_err();
    assert!(
        problem.contains("defaultedgetype=\"directed\", expected an undirected"),
        "{problem}"
    );
    let none = directed.replace("weight=", "type=\"undirected\" weight=");
    assert_eq!(read_file("g.gexf", &none).unwrap().graph.edges(), 1);
}

#[test]
fn other_xml_is_rejected_by_name() {
    let xgmml = "<?xml version=\"1.0\"?><graph label=\"x\"><node id=\"1\" label=\"a\"/></graph>";
    let problem = read_file("x.xgmml", xgmml).unwrap_err();
    assert!(problem.contains("XGMML"), "{problem}");
    let problem = read_file("x.xml", "<html><body/></html>").unwrap_err();
    assert!(problem.contains("<html>, expected <graphml>"), "{problem}");
}

#[test]
fn yed_files_keep_names_and_coordinates() {
    let node = |id: &str, x: u32, name: &str| {
        format!(
            "<node id=\"{id}\"><data key=\"d4\"><y:ShapeNode><y:Geometry height=\"30\" width=\"30\" x=\"{x}\" y=\"50\"/>\
             <y:NodeLabel>{name}<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>"
        )
    };
    let text = format!(
        "<graphml><key id=\"d4\" for=\"node\" yfiles.type=\"nodegraphics\"/><graph edgedefault=\"directed\">{}{}\
         <edge source=\"n0\" target=\"n1\"><data key=\"d9\"><y:PolyLineEdge><y:Arrows source=\"none\" target=\"none\"/>\
         </y:PolyLineEdge></data></edge></graph></graphml>",
        node("n0", 100, "Paris"),
        node("n1", 200, "Rome")
    );
    let goban = read_file("y.graphml", &text).unwrap();
    assert_eq!(named_edges(&goban), ["Paris-Rome"]);
    assert_eq!(places(&goban), [[115.0, -65.0], [215.0, -65.0]]);
    let arrow = text.replace("target=\"none\"", "target=\"standard\"");
    assert!(read_file("y.graphml", &arrow).is_err());
}

#[test]
fn graphml_keys_label_and_name_give_names() {
    for key in ["label", "name"] {
        let text = format!(
            "<graphml><key id=\"k\" for=\"node\" attr.name=\"{key}\"/><graph edgedefault=\"undirected\">\
             <node id=\"0.0\"><data key=\"k\">Alpha</data></node></graph></graphml>"
        );
        assert_eq!(labels(&read_file("e.graphml", &text).unwrap()), ["Alpha"]);
    }
}

#[test]
fn nested_elements_in_data_do_not_hide_later_elements() {
    let text = r#"<graphml><key id="w" for="edge" attr.name="weight"/><key id="s" for="node" attr.name="stone"/>
        <graph edgedefault="undirected"><node id="a"><data key="d"><y:Shape>x<y:Fill/></y:Shape></data><data key="s">black</data></node>
        <node id="b"/><edge source="a" target="b"><data key="d"><y:PolyLineEdge/></data><data key="w">3</data></edge></graph></graphml>"#;
    let goban = read_as("graphml", text).unwrap();
    assert_eq!(goban.graph.edges(), 1);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(3.0));
    assert_eq!(goban.start[0], Some(Color::BLACK));
}

#[test]
fn xml_attributes_have_defaults() {
    let text = r#"<graphml><key id="t" for="graph" attr.name="threshold"><default>odd</default></key>
        <key id="w" for="node" attr.name="weight"><default>2</default></key>
        <key id="s" for="node" attr.name="stone"><default>black</default></key>
        <key id="e" for="edge" attr.name="weight"><default>3</default></key>
        <graph edgedefault="undirected"><node id="a"/><node id="b"><data key="w">5</data><data key="s">empty</data></node>
        <edge source="a" target="b"/></graph></graphml>"#;
    let goban = read_as("graphml", text).unwrap();
    let Surface::Mango(mango) = &goban.surface else {
        panic!("no Mango set")
    };
    assert_eq!(mango.weights(), [2, 5]);
    assert_eq!(goban.start, [Some(Color::BLACK), None]);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(3.0));

    let text = r#"<gexf><graph><attributes class="node"><attribute id="0" title="stone"><default>white</default></attribute></attributes>
        <attributes class="edge"><attribute id="0" title="weight"><default>4</default></attribute></attributes>
        <nodes><node id="a"/><node id="b"><attvalues><attvalue for="0" value="black"/></attvalues></node></nodes>
        <edges><edge source="a" target="b"/></edges></graph></gexf>"#;
    let goban = read_as("gexf", text).unwrap();
    assert_eq!(goban.start, [Some(Color::WHITE), Some(Color::BLACK)]);
    assert_eq!(goban.notes.edge_weight(0, 1), Some(4.0));
}

#[test]
fn arcs_of_graphml_may_be_marked_by_a_digit() {
    let text = r#"<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b" directed="1"/></graph></graphml>"#;
    assert!(
        read_as("graphml", text)
            .unwrap_err()
            .contains("an arc, expected an undirected")
    );
}
