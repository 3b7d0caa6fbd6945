//! Parses libFuzzer's output at the end of a run into a table row.

/// The result of a run of one fuzz target.
#[derive(Debug, Default, PartialEq)]
pub struct Row<'l> {
    executions: u64,
    per_second: u64,
    /// Number of covered edges of the control flow graph.
    edges: u64,
    /// Number of libFuzzer's features: edges with their execution counts, and compared values.
    features: u64,
    /// Number of inputs kept in the corpus.
    kept: u64,
    peak_megabytes: u64,
    success: bool,
    /// The panic message, or else libFuzzer's error. `None` if the run succeeded.
    pub said: Option<&'l str>,
    /// The file that contains the failing input. `None` if no input failed.
    pub artifact: Option<&'l str>,
}

impl<'l> Row<'l> {
    pub const HEAD: &'static str = "target       executions  exec/s   edges  features  kept inputs  peak MB  findings";

    pub fn of(log: &'l str, success: bool) -> Self {
        let mut row = Self { success, ..Self::default() };
        for line in log.lines() {
            if line.starts_with('#') {
                row.progress(line);
            } else if let Some((name, value)) = line.strip_prefix("stat::").and_then(|stat| stat.split_once(':')) {
                let value = value.trim().parse().unwrap_or(0);
                match name {
                    "number_of_executed_units" => row.executions = value,
                    "average_exec_per_sec" => row.per_second = value,
                    "peak_rss_mb" => row.peak_megabytes = value,
                    _ => {}
                }
            } else if let Some((_, file)) = line.split_once("Test unit written to ") {
                row.artifact = Some(file.trim());
            } else if line.contains("ERROR: libFuzzer:") || line.contains("memory allocation of") {
                row.said.get_or_insert(line);
            }
        }
        // prefer the panic message to the signal that follows it
        let mut lines = log.lines().skip_while(|line| !(line.starts_with("thread '") && line.contains("panicked at")));
        if lines.next().is_some() {
            row.said = lines.next().or(row.said);
        }
        row
    }

    /// Parses a line such as `#1024 pulse  cov: 10 ft: 20 corp: 3/60b lim: 4 exec/s: 5 rss: 50Mb`. The values of a
    /// later line replace those of an earlier line.
    fn progress(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            let [name, value] = pair else { continue };
            let number = || value.split('/').next().and_then(|number| number.parse().ok());
            match *name {
                "cov:" => self.edges = number().unwrap_or(self.edges),
                "ft:" => self.features = number().unwrap_or(self.features),
                "corp:" => self.kept = number().unwrap_or(self.kept),
                _ => {}
            }
        }
    }

    pub fn line(&self, target: &str) -> String {
        format!(
            "{target:<12} {:>10} {:>7} {:>7} {:>9} {:>12} {:>8}  {}",
            self.executions,
            self.per_second,
            self.edges,
            self.features,
            self.kept,
            self.peak_megabytes,
            if self.success { "none" } else { "FOUND" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG_WITHOUT_CRASH: &str = "#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 40Mb\n\
        #900\tDONE   cov: 2040 ft: 8110 corp: 310/41Kb lim: 4096 exec/s: 30 rss: 90Mb\n\
        stat::number_of_executed_units: 900\nstat::average_exec_per_sec:     30\nstat::peak_rss_mb:              95\n";

    #[test]
    fn row_has_the_last_progress_and_the_statistics() {
        let row = Row::of(LOG_WITHOUT_CRASH, true);
        assert_eq!((row.executions, row.per_second, row.edges, row.features), (900, 30, 2040, 8110));
        assert_eq!((row.kept, row.peak_megabytes, row.said, row.artifact), (310, 95, None, None));
        assert!(row.line("styles").ends_with("none"));
    }

    #[test]
    fn crash_has_its_panic_message_and_artifact() {
        let log = format!(
            "{LOG_WITHOUT_CRASH}\nthread '<unnamed>' panicked at src/lib.rs:1:2:\nindex out of bounds\n==1== ERROR: libFuzzer: deadly signal\n\
             artifact_prefix='a/'; Test unit written to a/crash-12\n"
        );
        let row = Row::of(&log, false);
        assert_eq!((row.said, row.artifact), (Some("index out of bounds"), Some("a/crash-12")));
        assert!(row.line("styles").ends_with("FOUND"));
    }
}
