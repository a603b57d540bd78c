import LunaJSON
import Testing

@testable import LunaHome

/// What a file may say.
@Suite struct HomeFileTests {
  @Test(arguments: ["empty", "full", "older", "older.migrated"]) func examplesAreRight(
    _ name: String
  ) throws {
    let problems = try HomeFiles.read(name).problems
    // But for keys that are accepted, and nothing more.
    let others = problems.filter { $0.level == .error || !$0.reason.hasPrefix("nothing is done") }
    #expect(others.map { $0.description(file: name) } == [])
  }

  @Test func templateIsRight() {
    let text = HomeTemplate.text([
      HomeTemplate.Tracker(device: "0001", name: "Keys"),
      HomeTemplate.Tracker(device: "0002", name: "keys"),
      HomeTemplate.Tracker(device: "0003", name: "\"\n🔑"),
    ])
    let file = HomeFile(text)
    #expect(file.problems.map { $0.description(file: "x") } == [])
    #expect(
      file.root["trackers"]?.elements.map { $0["id"]?.text } == ["keys", "keys-2", "tracker"])
    #expect(HomeFile(HomeTemplate.text([])).problems == [])
  }

  /// The examples in its comments can be used as they stand there.
  @Test func examplesOfTheTemplateAreRight() {
    let text = HomeTemplate.text([HomeTemplate.Tracker(device: "0001", name: "Keys")])
    let file = HomeFile(text.replacing("// {", with: "{").replacing("//   \"", with: "\""))
    #expect(file.problems.map { $0.description(file: "x") } == [])
    #expect(file.root["rules"]?.elements.map { $0["id"]?.text } == ["keys-left", "keys-back"])
  }

  @Test func unknownKeysHaveTheNearestWord() {
    let file = HomeFile(#"{"plases":[], "rules":[], "zzzzzzzz":1}"#)
    #expect(file.isUsable)
    #expect(file.brief == ["unknownKey 1:2", "unknownKey 1:27"])
    #expect(file.problems.first?.hint == "did you mean 'places'?")
    #expect(!HomeFile(#"{"strict":true,"plases":[]}"#).isUsable)
  }

  static let rule =
    #"{"places":[{"id":"home","latitude":1,"longitude":1,"radius":50}],"contacts":[{"id":"c"}],"#
    + #""notifications":{"default":["c"]},"#
    + #""trackers":[{"id":"t","tags":["all"]}],"exec":{"x":["a"]},"rules":[{"id":"r",RULE}]}"#

  /// What is told of a rule, without its place.
  private func codes(rule: String) -> [Problem.Code] {
    let parts = Self.rule.split(separator: "RULE")
    return HomeFile(parts[0] + rule + parts[1]).codes
  }

  @Test(
    arguments: [
      (#""when":[{"enter":{"who":"t","place":"home"}}],"then":[{"notify":{}}]"#, []),
      (
        #""when":[{"enter":{"who":"all","place":"hom"}}],"then":[{"notify":{}}]"#,
        [.unknownReference]
      ),
      (
        #""when":[{"enter":{"who":"u","place":"home"}}],"then":[{"notify":{}}]"#,
        [.unknownReference]
      ),
      (#""when":[{"entr":{"who":"t","place":"home"}}],"then":[{"notify":{}}]"#, [.missing]),
      (
        #""when":[{"enter":{"place":"home"},"exit":{"place":"home"}}],"then":[{"ping":{}}]"#,
        [.range]
      ),
      (#""when":[],"then":[{"ping":{}}]"#, [.range]),
      (#""when":[{"enter":{"place":"home"}}],"then":[{"exec":{"name":"x"}}]"#, [.forgeable]),
      (
        #""when":[{"enter":{"place":"home"}}],"then":[{"exec":{"name":"y"}}]"#,
        [.forgeable, .unknownReference]
      ),
      (#""when":[{"enter":{"place":"home"}}],"for":"2m","then":[{"ping":{}}]"#, [.range]),
      (#""when":[{"beaconIn":{}}],"for":"2m","then":[{"ping":{}}]"#, []),
      (
        #""when":[{"property":{"property":"rssi","changes":true}}],"for":"2m","then":[{"ping":{}}]"#,
        [.range]
      ),
      (#""when":[{"time":{"at":["25:00"]}}],"then":[{"ping":{"who":"t"}}]"#, [.badTime]),
      (#""when":[{"time":{"at":["08:00"],"every":"1m"}}],"then":[{"ping":{"who":"t"}}]"#, [.range]),
      (
        #""when":[{"time":{"at":["08:00"],"start":"2026-02-30"}}],"then":[{"ping":{"who":"t"}}]"#,
        [.badTime]
      ),
      (#""when":[{"time":{"every":"1m"}}],"then":[{"wait":"2h"}]"#, [.range]),
      (
        #""when":[{"message":"m"}],"if":{"since":{"rule":"q","more":"1h"}},"then":[{"ping":{"who":"t"}}]"#,
        [.unknownReference]
      ),
      (#""when":[{"message":"m"}],"then":[{"buzz":{}},{"ping":{"who":"t"}}]"#, [.missing]),
      (#""when":[{"message":"m"},{"enter":{"place":"home"}}],"then":[{"buzz":{}}]"#, []),
      (
        #""when":[{"message":"m"}],"if":{"not":{"inside":{"place":"home"}}},"then":[{"finder":"stop"}]"#,
        [.missing]
      ),
      (#""when":[{"property":{"property":"present","is":"no"}}],"then":[{"ping":{}}]"#, []),
      (#""when":[{"property":{"property":"present","is":false}}],"then":[{"ping":{}}]"#, [.range]),
      (#""when":[{"property":{"property":"zone","is":"home"}}],"then":[{"ping":{}}]"#, []),
      (#""when":[{"property":{"property":"zone","is":"unknown"}}],"then":[{"ping":{}}]"#, [.range]),
      (#""when":[{"property":{"property":"batteryLow","is":true}}],"then":[{"ping":{}}]"#, []),
      (
        #""when":[{"property":{"property":"batteryLow","is":"yes"}}],"then":[{"ping":{}}]"#,
        [.range]
      ),
      (
        #""when":[{"property":{"property":"location","is":"home"}}],"then":[{"ping":{}}]"#,
        [.range]
      ),
      (#""when":[{"dwell":{"place":"home"}}],"then":[{"ping":{}}]"#, [.missing]),
      (#""when":[{"dwell":{"place":"home","after":"5m"}}],"then":[{"ping":{}}]"#, []),
      (#""when":[{"message":"m"}],"then":[{"notify":{"to":"me"}}]"#, [.unknownReference]),
      (
        #""when":[{"message":"m"}],"then":[{"notify":{"template":"{{trackr.name}} x"}}]"#,
        [.unknownReference]
      ),
    ] as [(String, [Problem.Code])]) func rules(_ rule: String, _ expected: [Problem.Code])
  {
    #expect(codes(rule: rule) == expected)
  }

  @Test(
    arguments: [
      (#"{"version":2}"#, [.newerVersion]), (#"{"version":"2.0"}"#, [.newerVersion]),
      (#"{"version":"1"}"#, []), (#"{"version":"0.9"}"#, [.range]),
      (#"{"trackers":[{"id":"a","match":"rssi >"}]}"#, [.badFilter]),
      (#"{"trackers":[{"match":"rssi > 1","device":"d"}]}"#, [.range]),
      (#"{"trackers":[{"id":"a"},{"id":"a"}]}"#, [.duplicateId]),
      (#"{"trackers":[{"name":"a"},{"id":"a"}]}"#, [.duplicateId]),
      (#"{"trackers":[{"device":"a"},{"name":"a"}]}"#, [.duplicateId]),
      (#"{"trackers":[{"name":"a"},{"id":"b","name":"a"}]}"#, []),
      (#"{"trackers":[{"match":"rssi > 1"}]}"#, [.missing]),
      (#"{"trackers":[{"id":"a","model":"x"}]}"#, [.unknownReference]),
      (#"{"devices":[{"class":"Lamp","oemModel":"x"}]}"#, [.unknownClass]),
      (#"{"devices":[{"class":"Device","oemModel":"x","detailScreen":"y"}]}"#, [.unknownReference]),
      (#"{"outputs":{"mqtt":{"host":"h","password":"secret"}}}"#, [.secretInFile]),
      (#"{"outputs":{"mqtt":{"host":"h","password":{"file":"p"}}}}"#, []),
      (#"{"sdkConfig":{"appSecret":"x"}}"#, [.secretInFile]),
      (#"{"auth":{"oidc":{"issuer":"https://i.example"}}}"#, [.missing]),
      (#"{"auth":{"oidc":{"issuer":"i.example"}},"sdkConfig":{"appId":"a"}}"#, [.range]),
      (#"{"auth":{"oidc":{"issuer":"https://i.example"}},"sdkConfig":{"appId":"a"}}"#, []),
      (#"{"server":{"listen":"0.0.0.0:80"}}"#, [.unsafeListen]),
      (#"{"server":{"tileURL":"https://t.example/{z}/{x}/{y}.png"}}"#, []),
      (#"{"server":{"tileURL":"https://t.example/{z}/{x}.png"}}"#, [.range]),
      (
        #"{"server":{"floorPlans":[{"file":"p","south":52,"west":13,"north":53,"east":14}]}}"#, []
      ),
      (
        #"{"server":{"floorPlans":[{"file":"p","south":52,"west":13,"north":52,"east":14}]}}"#,
        [.range]
      ),
      (
        #"{"server":{"floorPlans":[{"file":"p","south":52,"west":13,"east":14}]}}"#, [.missing]
      ),
      (#"{"server":{"listen":"[::1]:80"}}"#, []), (#"{"server":{"listen":"80"}}"#, [.range]),
      (#"{"server":{"listen":"0.0.0.0:80","plainHTTPOnLAN":true}}"#, []),
      (#"{"userExperience":{"screens":[{"name":"a","class":"Map"}]}}"#, [.missing, .missing]),
      (
        ##"{"userExperience":{"defaultConfig":{"windowBackgroundColor":"#fff","fontColor":"#eee"}}}"##,
        [.range]
      ),
      (#"{"notifications":{"channels":[{"id":"m","type":"email"}]}}"#, [.missing, .missing]),
      (#"{"contacts":[{"id":"a","card":"LUNACARD:1:AYUg8AmJMKdUdIt9"}]}"#, [.range]),
      (#"{"contacts":[{"id":"a","card":"ben.png"}]}"#, [.range]),
      (#"{"contacts":[{"id":"a","email":"ben"}]}"#, [.range]),
      (#"{"contacts":[{"id":"a","email":"a@b, c@d"}]}"#, [.range]),
      (#"{"contacts":[{"id":"a","email":""}]}"#, [.range]),
      (#"{"contacts":[{"id":"a","email":"Ben <ben@example.org>"}]}"#, []),
      (
        #"{"notifications":{"channels":[{"id":"m","type":"email","host":"h","from":"home"}]}}"#,
        [.range]
      ),
      (
        #"{"contacts":[{"id":"a","card":"LUNACARD:1:AYUg8AmJMKdUdIt93LQ-91oNvzoNJjga9OukqY6qm05qA0Jlbg"}]}"#,
        []
      ),
      (#"{"box":{"adapters":{"hci0":"attic"}}}"#, [.unknownReference]),
      (#"{"box":{"location":"static:52.5,13.4,34"}}"#, []),
      (#"{"box":{"location":"static:52.5,13.4,"}}"#, [.range]),
      (#"{"box":{"location":"static:52.5,,34"}}"#, [.range]),
      (#"{"service":{"fetchEvery":"60s"}}"#, []),
      (#"{"service":{"fetchEvery":"59s"}}"#, [.range]),
      (
        #"{"service":{"endpoints":{"Field.Europ":{"url":"https://b.example"}}}}"#, [.unknownKey]
      ),
      (#"{"service":{"endpoints":{"Staging.USA":{"url":"https://b.example"}}}}"#, [.missing]),
      (#"{"service":{"endpoints":{"Staging.Europe":{"url":"https://b.example"}}}}"#, []),
      (#"{"sdkConfig":{"serviceType":"Staging"}}"#, [.missing]),
      (
        #"{"sdkConfig":{"serviceType":"Field"},"service":{"endpoints":{"Staging.Europe":{"url":"https://b.example"}}}}"#,
        [.missing]
      ),
      (
        #"{"sdkConfig":{"serviceType":"Staging"},"service":{"endpoints":{"Staging.Europe":{"url":"https://b.example"}}}}"#,
        []
      ),
      (#"{"sdkConfig":{"serviceType":"Demo"}}"#, []),
      (#"{"sdkConfig":{"serviceLocation":"USA"}}"#, []),
      (#"{"rules":[{"id":"r","when":[{"message":"m"}],"then":[{"notify":{}}]}]}"#, [.missing]),
      (
        #"{"contacts":[{"id":"a"}],"rules":[{"id":"r","when":[{"message":"m"}],"#
          + #""then":[{"notify":{"to":"a"}}]}]}"#, []
      ),
      (#"{"outputs":{"mqtt":{"host":"h","base":"house/#"}}}"#, [.range]),
      (
        #"{"outputs":{"mqtt":{"host":"h"}},"devices":[{"class":"Device","oemModel":"m","#
          + #""managedProperties":[{"name":"a","source":{"mqtt":"a/+","path":"b"},"sink":{"mqtt":"+/b"}}]}]}"#,
        [.range, .range, .range]
      ),
      (
        #"{"outputs":{"mqtt":{"host":"h"}},"rules":[{"id":"r","when":[{"message":"m"}],"#
          + #""then":[{"publish":{"topic":"a/+/b"}}]}]}"#, [.range]
      ),
      (#"{"places":[{"id":"p","latitude":1,"longitude":1,"radius":29}]}"#, [.range]),
      (#"{"places":[{"id":"away","latitude":1,"longitude":1,"radius":30}]}"#, [.range]),
      (
        #"{"contacts":[{"id":"a"}],"notifications":{"channels":[{"id":"a","type":"push"}]}}"#,
        [.duplicateId]
      ),
    ] as [(String, [Problem.Code])]) func files(_ text: String, _ expected: [Problem.Code])
  {
    #expect(HomeFile(text).codesOfUsedKeys == expected)
  }

  @Test func everyCodeIsKnown() { #expect(Problem.Code.allCases.count == 21) }

  static let managed =
    #"{"contacts":[{"id":"c"}],"notifications":{"default":["c"]},"#
    + #""devices":[{"class":"Device","oemModel":"m","managedProperties":["#
    + #"{"name":"a","notify":false,"schedule":false},{"name":"c","max":30}]}],"trackers":[{"id":"t","model":"m"}],"#
    + #""rules":[{"id":"r",RULE}]}"#

  @Test(
    arguments: [
      (
        #""when":[{"property":{"who":"t","property":"a","is":1}}],"then":[{"notify":{}}]"#,
        [.notNotifiable]
      ),
      (#""when":[{"property":{"who":"t","property":"a","is":1}}],"then":[{"ping":{}}]"#, []),
      (
        #""when":[{"property":{"who":"t","property":"b","is":1}}],"then":[{"ping":{}}]"#,
        [.unknownReference]
      ),
      (
        #""when":[{"time":{"at":["08:00"]}}],"then":[{"set":{"who":"t","property":"a","value":1}}]"#,
        [.notSchedulable]
      ),
      (#""when":[{"message":"m"}],"then":[{"set":{"who":"t","property":"a","value":1}}]"#, []),
      (
        #""when":[{"message":"m"}],"then":[{"set":{"who":"t","property":"c","value":31}}]"#,
        [.range]
      ),
      (#""when":[{"message":"m"}],"then":[{"set":{"who":"t","property":"c","value":30}}]"#, []),
    ] as [(String, [Problem.Code])]) func managedProperties(
      _ rule: String, _ expected: [Problem.Code]
    )
  {
    let parts = Self.managed.split(separator: "RULE")
    #expect(HomeFile(parts[0] + rule + parts[1]).codes == expected)
  }

  /// What Home Assistant is to fill in.
  @Test func bracesOfOthersCanBePublished() {
    func file(_ payload: String) -> HomeFile {
      HomeFile(
        #"{"outputs":{"mqtt":{"host":"h"}},"rules":[{"id":"r","when":[{"message":"m"}],"#
          + #""then":[{"publish":{"topic":"a","payload":"\#(payload)"}}]}]}"#)
    }
    let filled = file(#"{\"t\":\"{{ states('sensor.outside') }}\"}"#)
    #expect(filled.codesOfUsedKeys == [.unknownReference])
    let hint = filled.problems.first { $0.code == .unknownReference }?.hint
    #expect(hint?.hasSuffix(#"begin with \\u007b{ in JSON"#) == true)
    #expect(file(#"{\"t\":\"\\u007b{ states('sensor.outside') }}\"}"#).codesOfUsedKeys == [])
    let text = file("{{ states('sensor.outside') }}").problems
    #expect(text.first { $0.code == .unknownReference }?.hint?.contains("007b") == false)
  }

  @Test func surroundings() {
    let text =
      #"{"box":{"zone":"Mars/North"},"outputs":{"mqtt":{"host":"h","#
      + #""password":{"file":"p"}}}}"#
    let file = HomeFile(
      text,
      in: HomeSurroundings(
        isZone: { $0 == "Europe/Berlin" }, hasLibrary: { _ in false }, secretFile: { _ in .open }))
    #expect(file.codes == [.badZone, .missingLibrary, .secretInFile])
  }

  /// What people call their texts is no key of the file.
  @Test(arguments: [
    #"{"userExperience":{"strings":{"en":{"zone":"Place"}}}}"#,
    #"{"notifications":{"templates":{"zone":"It moved."}}}"#,
    #"{"userExperience":{"controls":[{"name":"c","class":"toggle","extras":{"zone":"x","token":{"file":"p"}}}]}}"#,
    #"{"notifications":{"channels":[{"id":"c","type":"webhook","url":"https://h.example","headers":{"zone":"x"}}]}}"#,
  ]) func keysOfPeopleMeanNothing(_ text: String) {
    let surroundings = HomeSurroundings(
      isZone: { _ in false }, hasLibrary: { _ in true }, secretFile: { _ in .absent })
    #expect(HomeFile(text, in: surroundings).codesOfUsedKeys == [])
  }

  @Test func secretsAreNeverRepeated() {
    let file = HomeFile(
      #"{"outputs":{"mqtt":{"host":"h","password":"hunter2"}},"#
        + #""sdkConfig":{"appSecret":"hunter2"}}"#)
    #expect(file.problems.allSatisfy { !$0.description(file: "x").contains("hunter2") })
    #expect(file.settings.allSatisfy { !$0.value.contains("hunter2") })
  }

  @Test func migrationKeepsEveryOtherByte() throws {
    let older = try HomeFiles.read("older")
    #expect(older.isOlder)
    #expect(older.migrated == (try HomeFiles.bytes("older.migrated")))
    let migrated = HomeFile(older.migrated)
    #expect(!migrated.isOlder && migrated.migrated == older.migrated)
  }

  @Test func settingsHaveTheirOrigin() throws {
    let settings = HomeFile("{\"name\":\n\"X\",\"places\":[{\"id\":\"p\"}]}").settings
    #expect(
      settings.first { $0.path == "/name" }.map { "\($0.value) \($0.line ?? 0)" } == "\"X\" 2")
    #expect(settings.first { $0.path == "/places/0/leaveAfter" }?.line == nil)
    #expect(settings.first { $0.path == "/version" }?.value == "1")
  }

  @Test func contrastIsThatOfWCAG() throws {
    let white = try #require(HomeColor("#fff"))
    let gray = try #require(HomeColor("#767676"))
    let black = try #require(HomeColor("#000000"))
    #expect(abs(white.contrast(to: black) - 21) < 0.001)
    #expect(abs(white.contrast(to: gray) - 4.54) < 0.01)
  }
}
