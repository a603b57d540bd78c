import LunaAccount

do {
  _ = try await AuthorizedRequest(url: "https://example.org/", mode: .accessToken).send()
} catch {
  print(error)
}
