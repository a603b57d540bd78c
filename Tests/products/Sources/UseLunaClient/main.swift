import LunaClient

do {
  _ = try BackendClient(ClientConfiguration(url: "ftp://example.org"), token: .none)
} catch {
  print(error)
}
