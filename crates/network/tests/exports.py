"""Read exported networks with the tools they are for, and say what is in them."""

import sys

import duckdb
import networkx
import rdflib

folder = sys.argv[1]

graph = rdflib.Graph().parse(f"{folder}/u.ttl", format="turtle")
people = graph.query(
    """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
       PREFIX net: <urn:pagemill:network:>
       SELECT ?name ?role ?unit WHERE {
         ?context a net:Role ; net:player/rdfs:label ?name ; net:role/rdfs:label ?role ; net:unit/rdfs:label ?unit
       } ORDER BY ?name ?role ?unit"""
)
for name, role, unit in people:
    print("ttl", name, role, unit, sep=" | ")
below = graph.query(
    """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
       SELECT (count(DISTINCT ?p) AS ?n) WHERE { ?f rdfs:label "Faculty" . ?r rdfs:subPropertyOf* ?f . ?u ?r ?p }"""
)
print("ttl faculty", *[int(n) for (n,) in below])

graph = networkx.read_graphml(f"{folder}/u.graphml")
names = {node: data["name"] for node, data in graph.nodes(data=True)}
for a, b, data in sorted(graph.edges(data=True), key=lambda edge: (edge[2]["kind"], names[edge[0]], names[edge[1]])):
    print("graphml", data["kind"], names[a], data["relationship"], names[b], data.get("since", ""), sep=" | ")

rows = duckdb.sql(
    f"""SELECT class, name, role, "in", since, email FROM read_csv('{folder}/u.csv', all_varchar = true)
        ORDER BY ALL"""
).fetchall()
for row in rows:
    print("csv", *[cell or "" for cell in row], sep=" | ")
