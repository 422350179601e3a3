// Rows that come while a simulation runs: server-sent events into a recording that grows. No DOM.

export class Live {
    /**
     * recording: grows. open(): an EventSource of "rows". told: {grown(rows), ended(ending, more), failed(text),
     * connected()}.
     */
    constructor(recording, open, told) {
        this.recording = recording;
        this.told = told;
        this.over = false;
        this.source = open();
        this.source.addEventListener("open", () => told.connected());
        this.source.addEventListener("rows", (event) => this.take(event.data));
        this.source.addEventListener("end", (event) => this.end(event.data));
        this.source.addEventListener("error", () => this.broken());
    }

    take(text) {
        if (this.over) return;
        const { first, rows } = JSON.parse(text);
        const fresh = this.recording.append(first, rows);
        if (fresh < 0) this.stop("Rows of the simulation are missing; reload the page.");
        else if (fresh > 0) this.told.grown(fresh);
    }

    end(text) {
        if (this.over) return;
        const { ending, document } = JSON.parse(text);
        this.close();
        this.told.ended(ending ?? "", document === true);
    }

    /** The browser connects again by itself (rows that come twice are passed over) unless the source is closed. */
    broken() {
        if (this.over) return;
        if (this.source.readyState === 2) this.stop("The connection to zveno is lost. What has come so far stays here.");
        else this.told.failed("The connection to zveno is interrupted; trying again.");
    }

    stop(text) {
        this.close();
        this.told.failed(text);
    }

    close() {
        this.over = true;
        this.source.close();
    }
}
