// Loops closed by the engine: one question at a time, the latest wins. No DOM.

export class Closing {
    /** ask(q, held): a promise of {q, closed, message}; wait: ms to let a hand settle */
    constructor(ask, wait = 40) {
        this.ask = ask;
        this.wait = wait;
        this.turn = 0;
    }

    /** A promise of the answer, or of null when a later question has overtaken this one. */
    async close(q, held) {
        const turn = ++this.turn;
        await new Promise((done) => setTimeout(done, this.wait));
        if (turn !== this.turn) return null;
        await this.running;
        if (turn !== this.turn) return null;
        let answered;
        this.running = new Promise((done) => (answered = done));
        try {
            const answer = await this.ask(q, held);
            return turn === this.turn ? answer : null;
        } finally {
            answered();
        }
    }
}

export async function askEngine(q, held) {
    const body = JSON.stringify({ q: Array.from(q), held });
    const reply = await fetch("assemble", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (!reply.ok) throw new Error(`zveno answers ${reply.status} ${reply.statusText}`);
    return reply.json();
}
