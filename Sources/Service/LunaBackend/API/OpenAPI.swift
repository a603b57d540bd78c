import LunaJSON
import WebAccess

/// The OpenAPI 3.1 document, from the declarations of the endpoints.
enum OpenAPI {
  /// The document.
  static let document = OpenAPIDocument.make(
    info: [
      "title": "Luna API", "version": "1",
      "description": "Encrypted sightings of trackers from gateways to owners, and commands back.",
    ],
    endpoints: API.endpoints.map { ($0.declaration, $0.access.description) },
    components: [
      "schemas": Schema.all,
      "securitySchemes": [
        "gatewayToken": ["type": "http", "scheme": "bearer"],
        "ownerToken": ["type": "http", "scheme": "bearer"],
        "adminToken": ["type": "http", "scheme": "bearer"],
        "session": [
          "type": "apiKey", "in": "cookie", "name": "__Host-luna",
          "description":
            "By http on the server's own machine it is luna-PORT. Changes need Origin and Luna-CSRF too.",
        ],
      ],
    ],
    pattern: pattern
  ).bytes

  private static func pattern(of parameter: String) -> String {
    switch parameter {
    case "name": "^[A-Za-z0-9._-]{1,64}$"
    case "id", "gateway", "ref": "^[0-9a-f]{16}$"
    case "hash": "^[0-9a-f]{64}$"
    case "change": "^[0-9]{1,18}$"
    case "code": "^[A-Za-z-]{8,16}$"
    default: "^[0-9a-f]{32}$"
    }
  }
}
