import Glibc
import LunaHome
import LunaJSON
import LunaTesting
import Testing

@testable import LunaHomeWeb

/// Pictures of floors, for who may know how the house looks inside.
@Suite(.timeLimit(.minutes(10))) struct PlanEndpointsTests {
  private let folder = TestFolder()

  private func write(_ name: String, _ text: String) throws {
    let file = try #require(fopen(folder.path + "/" + name, "w"))
    fputs(text, file)
    fclose(file)
  }

  private func home() async throws -> SharingHome {
    func plan(_ name: String) -> String {
      #"{"file": "\#(folder.path)/\#(name)", "south": 52, "west": 13, "north": 53, "east": 14}"#
    }
    let plans = ["ground.svg", "secret.txt", "gone.png"].map(plan).joined(separator: ", ")
    return try await SharingHome(server: #"{"floorPlans": [\#(plans)]}"#)
  }

  @Test func areForMembers() async throws {
    try write("ground.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
    try write("secret.txt", "secret")
    let home = try await home()
    let given = await home.ask("GET", "plans/0", as: .member)
    #expect(given.status == 200 && String(decoding: given.body, as: UTF8.self).hasPrefix("<svg"))
    #expect(await home.ask("GET", "plans/0", as: .guest).status == 404)
    #expect(await home.ask("GET", "plans/0", as: nil).status == 401)
    for number in ["1", "2", "3", "-1", "x"] {
      let answer = await home.ask("GET", "plans/" + number)
      #expect(answer.status == 404)
    }
    await home.home.stop()
  }

  @Test func theAppIsToldWhereTheyLieAndNotTheirFiles() async throws {
    let home = try await home()
    guard case .array(let plans)? = await home.ask("GET", "ui", as: .member).json["plans"] else {
      Issue.record("there are no plans")
      return
    }
    #expect(
      plans.first == [
        "name": "Floor 1", "url": "/api/v1/plans/0", "south": 52, "west": 13, "north": 53,
        "east": 14,
      ])
    #expect(plans.count == 3 && plans.allSatisfy { $0["file"] == nil })
    #expect(await home.ask("GET", "ui", as: .guest).json["plans"] == [])
    await home.home.stop()
  }
}
