// Plays a round over gRPC with stubs made by protoc: `RoundKt ADDRESS BOSS ANN BOB`, a gateway and three tokens.
import com.google.protobuf.Message
import com.google.rpc.ErrorInfo
import io.grpc.CallOptions
import io.grpc.ManagedChannel
import io.grpc.ManagedChannelBuilder
import io.grpc.Metadata
import io.grpc.StatusRuntimeException
import io.grpc.stub.AbstractStub
import io.grpc.stub.MetadataUtils
import java.util.UUID
import pitboss.v1.Actions.Action
import pitboss.v1.Actions.BetMultipleAction
import pitboss.v1.Actions.RevealAction
import pitboss.v1.Catalogue.HouseRuleValue
import pitboss.v1.Dealer.*
import pitboss.v1.DealerServiceGrpc
import pitboss.v1.Wallet.DepositRequest
import pitboss.v1.WalletServiceGrpc

/** One caller: its stubs carry its token. */
class Caller(channel: ManagedChannel, token: String) {
    private val headers = Metadata().apply {
        put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer $token")
    }
    val dealer = MetadataUtils.attachHeaders(DealerServiceGrpc.newBlockingStub(channel), headers)
    val wallets = MetadataUtils.attachHeaders(WalletServiceGrpc.newBlockingStub(channel), headers)
}

fun command() = UUID.randomUUID().toString() // keep it to send the same command again

fun main(arguments: Array<String>) {
    val (address, bossToken, annToken, bobToken) = arguments
    val channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build()
    val (boss, ann, bob) = listOf(bossToken, annToken, bobToken).map { Caller(channel, it) }

    fun rule(value: Long) = HouseRuleValue.newBuilder().setInteger(value).build()
    val table = boss.dealer.createTable(
        CreateTableRequest.newBuilder().setRequestId(command()).setGame("tongbi_san_gong")
            .putHouseRules("base", rule(10)).putHouseRules("start_countdown_s", rule(1)).build()
    ).tableId
    for (player in listOf("ann", "bob")) {
        boss.wallets.deposit(
            DepositRequest.newBuilder().setRequestId(command()).setPlayer(player).setAmount(1000).setReason("Kotlin").build()
        )
    }
    for (player in listOf(ann, bob)) {
        player.dealer.takeSeat(TakeSeatRequest.newBuilder().setRequestId(command()).setTableId(table).setBuyIn(500).build())
    }
    fun watch() = ann.dealer.watchTable(WatchTableRequest.newBuilder().setTableId(table).build()).asSequence()
    watch().first { it.view.round.waitingForCount > 0 } // the house has started the round
    val acts = listOf(
        Action.newBuilder().setBetMultiple(BetMultipleAction.newBuilder().setMultiple(2)).build(),
        Action.newBuilder().setReveal(RevealAction.getDefaultInstance()).build(),
    )
    for (action in acts) for (player in listOf(ann, bob)) {
        player.dealer.act(ActRequest.newBuilder().setRequestId(command()).setTableId(table).setAction(action).build())
    }
    val result = watch().first { it.view.lastResult.roundNumber > 0 }.view.lastResult
    for (seat in result.seatsList) println("seat ${seat.seat}: ${seat.net}")

    try { // a refusal's details are in the trailers
        ann.dealer.takeSeat(TakeSeatRequest.newBuilder().setRequestId(command()).setTableId(table).setBuyIn(500).build())
    } catch (refused: StatusRuntimeException) {
        val status = io.grpc.protobuf.StatusProto.fromThrowable(refused)!!
        println("refused: ${status.detailsList.first { it.`is`(ErrorInfo::class.java) }.unpack(ErrorInfo::class.java).reason}")
    }
    channel.shutdownNow()
}
