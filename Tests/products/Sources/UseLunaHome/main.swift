import LunaHome

let file = HomeFile(Array(#"{"name": "Attic", "places": [{"id": "home"}]}"#.utf8))
for problem in file.problems { print(problem.description(file: "home.json")) }
