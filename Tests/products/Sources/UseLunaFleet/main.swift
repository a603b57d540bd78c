import LunaFleet

do {
  print(try GatewayPayload(text: "LUNAG1:0").print)
} catch {
  print(error.code)
}
