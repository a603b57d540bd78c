import BlueZ

let source = try makeSource(.auto)
print(source.description.name)
