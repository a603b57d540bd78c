import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct ExchangeTests {
  private func errors(_ text: String) -> [FleetError] {
    do throws(FieldErrors) {
      for line in try GatewayFile.read(Array(text.utf8)) { _ = try line.edit() }
      return []
    } catch {
      return error.errors
    }
  }

  @Test func readsWhatItWrote() throws {
    let gateway = try Samples.gateway(
      "=1+1, \"quoted\"",
      [
        "tags": ["a", "b"], "note": "plain",
        "place": ["latitude": .real(1.5), "longitude": -2, "text": "door"],
      ])
    let json = gateway.json(GatewayStatus())
    let table = GatewayFile.head + "\r\n" + GatewayFile.row(json) + "\r\n"
    let lines = try GatewayFile.read(Array(table.utf8))
    #expect(lines.count == 1 && lines[0].line == 2)
    #expect(try lines[0].edit().fields == gateway.fields)
    var line = json
    line.append("type", "gateway")
    let read = try GatewayFile.read(Array("\n\(JSONValue.object(line))\n".utf8))
    #expect(read.first?.line == 2)
    #expect(try read[0].edit().fields == gateway.fields)
  }

  @Test(arguments: ["'=1", "''-x", "'tis", "-5", "'-5", "+49 30", "@a", "'@", "a\\x0ab"])
  func losesNothingInATable(name: String) throws {
    let gateway = try Samples.gateway(name, ["note": "one\ntwo,\t\"three\"\n=4"])
    let table = GatewayFile.head + "\n" + GatewayFile.row(gateway.json(GatewayStatus())) + "\n"
    let read = try GatewayFile.read(Array(table.utf8)).map { try $0.edit().fields }
    #expect(read == [gateway.fields])
  }

  @Test func readsTablesOfOthers() throws {
    let text =
      "\u{FEFF}name,tags,note\n\"two\nlines, one cell\",a b,\"say \"\"x\"\"\"\n\n'=1,,\n'tis,,"
    let lines = try GatewayFile.read(Array(text.utf8))
    #expect(lines.map(\.line) == [2, 5, 6])
    #expect(lines[0].fields["note"] == "say \"x\"")
    #expect(lines[0].fields["tags"] == ["a", "b"])
    #expect(lines[1].fields == ["name": "=1"])
    #expect(lines[2].fields == ["name": "'tis"])
    #expect(try GatewayFile.read([]).isEmpty)
  }

  @Test func tellsTheLine() throws {
    #expect(errors("name,colour\na,b\n").map(\.position) == [1])
    #expect(errors("name,name\na,b\n").map(\.position) == [1])
    #expect(errors("name,site\na\nb,c\nd,e,f\n").map(\.position) == [2, 4])
    #expect(errors("name\n\"open\n").map(\.position) == [2])
    #expect(errors("name\na\"b\n").map(\.position) == [2])
    for (mark, word) in [(";", "semicolons"), ("\t", "tabs")] {
      let found = errors("name\(mark)site\na\(mark)b\n")
      #expect(found.map(\.position) == [1])
      #expect(found.first.map { "\($0)".contains(word) } == true)
    }
    #expect(errors("{\"name\":\"a\"}\n{\n[]\n").map(\.position) == [2, 3])
    #expect(errors("name,latitude,longitude\na,north,1\n").first?.field == "place")
    #expect(errors("site\nx\n").first?.field == "name")
    #expect(errors("{\"name\":\"a\",\"colour\":1}").first?.code == .unknownField)
    #expect(errors("\u{0}").count == 1)
    #expect(errors("name\n" + String(repeating: "a\n", count: 1001)).first?.code == .importLine)
  }

  @Test func anyBytesNeverTrap() {
    var mutations = Mutations(seed: 1)
    for index in 0..<20_000 {
      var bytes = Array((index % 2 == 0 ? "name,site\n\"a\",b\n" : "{\"name\":\"a\"}\n").utf8)
      mutations.change(&bytes)
      _ = try? GatewayFile.read(bytes)
    }
  }
}
