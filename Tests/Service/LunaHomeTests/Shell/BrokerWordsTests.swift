import MQTT
import Testing

@testable import LunaHome

struct BrokerWordsTests {
  /// Who is refused learns where the file has the password.
  @Test func namesTheKeysOfTheFile() {
    #expect(MQTTError(.refused, "no").toldInHome == "no; check user and password in outputs.mqtt")
    #expect(MQTTError(.lost, "it broke").toldInHome == "it broke")
  }
}
