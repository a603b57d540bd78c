import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
