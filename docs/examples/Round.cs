// Plays a round with the JSON view of the house: `mono Round.exe HOUSE BOSS ANN BOB`, a gateway and three tokens.
using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

/// <summary>The house refuses a call, with a reason of its closed list.</summary>
class Refused : Exception
{
    public readonly string Reason;
    public Refused(string reason, string message) : base(message) { Reason = reason; }
}

/// <summary>One caller, known by its token.</summary>
class Caller
{
    readonly HttpClient http;

    public Caller(string house, string token)
    {
        http = new HttpClient { BaseAddress = new Uri(house) };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
    }

    public Task<XElement> Get(string path) { return Read(http.GetAsync(path)); }

    /// <summary>Send a command; with the same id again it is done once. Fields are JSON.</summary>
    public Task<XElement> Post(string path, string fields)
    {
        var body = "{\"request_id\": \"" + Guid.NewGuid() + "\", " + fields + "}";
        return Read(http.PostAsync(path, new StringContent(body, Encoding.UTF8, "application/json")));
    }

    static async Task<XElement> Read(Task<HttpResponseMessage> sent)
    {
        var answer = await sent;
        var text = await answer.Content.ReadAsStreamAsync();
        var read = XElement.Load(JsonReaderWriterFactory.CreateJsonReader(text, XmlDictionaryReaderQuotas.Max));
        if (answer.IsSuccessStatusCode) return read;
        var reason = read.Descendants("reason").Select(one => one.Value).FirstOrDefault();
        throw new Refused(reason ?? "INTERNAL", (string)read.Element("message"));
    }
}

static class Round
{
    static async Task Play(string house, string[] tokens)
    {
        Caller boss = new Caller(house, tokens[0]), ann = new Caller(house, tokens[1]), bob = new Caller(house, tokens[2]);
        var rules = "\"house_rules\": {\"base\": {\"integer\": 10}, \"start_countdown_s\": {\"integer\": 1}}";
        var made = await boss.Post("/v1/tables", "\"game\": \"tongbi_san_gong\", " + rules);
        var table = "/v1/tables/" + (string)made.Element("table_id");
        foreach (var player in new[] { "ann", "bob" })
            await boss.Post("/v1/wallet:deposit", "\"player\": \"" + player + "\", \"amount\": 1000, \"reason\": \"C#\"");
        foreach (var player in new[] { ann, bob }) await player.Post(table + ":takeSeat", "\"buy_in\": 500");
        await Until(ann, table, view => view.Descendants("waiting_for").Elements().Any());
        foreach (var action in new[] { "{\"bet_multiple\": {\"multiple\": 2}}", "{\"reveal\": {}}" })
            foreach (var player in new[] { ann, bob })
                await player.Post(table + ":act", "\"action\": " + action);
        var done = await Until(ann, table, view => view.Element("last_result")?.Element("seats") != null);
        foreach (var seat in done.Element("last_result").Element("seats").Elements())
            Console.WriteLine("seat " + seat.Element("seat").Value + ": " + seat.Element("net").Value);
        try { await ann.Post(table + ":takeSeat", "\"buy_in\": 500"); }
        catch (Refused refused) { Console.WriteLine("refused: " + refused.Reason); }
    }

    /// <summary>Read a table until its view is as wanted.</summary>
    static async Task<XElement> Until(Caller caller, string table, Func<XElement, bool> wanted)
    {
        for (var tries = 0; tries < 300; tries++)
        {
            var view = (await caller.Get(table)).Element("view");
            if (wanted(view)) return view;
            await Task.Delay(100);
        }
        throw new TimeoutException("the table is not as wanted after 30 seconds");
    }

    static void Main(string[] arguments)
    {
        Play(arguments[0], arguments.Skip(1).ToArray()).GetAwaiter().GetResult();
    }
}
