import LunaShare

do {
  print(try ContactCard(text: "LUNACARD:1:").name)
} catch {
  print(error.rawValue)
}
