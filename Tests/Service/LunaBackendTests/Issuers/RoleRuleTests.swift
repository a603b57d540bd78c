import LunaJSON
import Testing

@testable import LunaBackend

@Suite("Which role a claim gives")
struct RoleRuleTests {
  @Test(
    "What is read",
    arguments: [
      ("groups=staff:operator", "groups", "staff", AccountRole.operator),
      ("a=b=c:d:viewer", "a", "b=c:d", .viewer), ("https://x=1:admin", "https://x", "1", .admin),
    ])
  func reading(_ text: String, _ claim: String, _ value: String, _ role: AccountRole) throws {
    let rule = try #require(RoleRule(text))
    #expect((rule.claim, rule.value, rule.role) == (claim, value, role))
  }

  @Test(
    "What is not",
    arguments: [
      "", "groups", "groups=staff", "groups:viewer", "=a:viewer", "a=:viewer", "a=b:king", "a=b:",
      "a=b:Viewer",
    ])
  func malformed(_ text: String) { #expect(RoleRule(text) == nil) }

  @Test("Texts, numbers, elements of lists, and paths into objects")
  func fitting() throws {
    let claims: JSONObject = [
      "groups": ["a", "staff"], "level": 5, "isStaff": true, "realm": ["roles": ["staff"]],
      "with.dot": "staff", "urn:a.b:roles": ["staff": "1"],
      "access": ["luna.example": ["roles": ["staff"]], "luna": ["example": 1]],
    ]
    for text in [
      "groups=staff", "level=5", "isStaff=true", "realm.roles=staff", "with.dot=staff",
      "access.luna.example.roles=staff", "urn:a.b:roles.staff=1",
    ] {
      #expect(try #require(RoleRule(text + ":viewer")).fits(claims), "\(text)")
    }
    for text in [
      "groups=Staff", "groups=sta", "groups=a staff", "level=5.0", "isStaff=1", "realm=staff",
      "realm.roles.staff=true", "realm.=staff", "none=null", "Groups=staff", ".realm.roles=staff",
      // The longest name goes first.
      "access.luna.example=1",
      "access.luna.roles=staff", "access.luna.example.roles.=staff", ".=staff",
    ] {
      #expect(try !#require(RoleRule(text + ":viewer")).fits(claims), "\(text)")
    }
  }
}
