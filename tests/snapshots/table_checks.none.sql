SELECT benchmark FROM benchmarks ORDER BY benchmark
