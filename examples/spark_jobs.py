"""What the jobs of all runs used, by Spark.

    rtrack-report export --to parquet -o DIR
    spark-submit --master 'local[2]' examples/spark_jobs.py DIR

prints a line of JSON for each job and user: runs, those that did not finish, CPU hours, the largest memory of a run, and
the share of the memory that was asked for and never used. A run inside another is in the figures of that one."""
import json
import sys

from pyspark.sql import SparkSession, functions as f


def jobs(spark, directory):
    runs = spark.read.parquet(directory + "/runs").where("parent is null")
    used = (
        spark.read.parquet(directory + "/process")
        .groupBy("run")
        .agg(f.sum(f.col("utime") + f.col("stime")).alias("cpu"), f.max("memory_mib").alias("peak"))
    )
    return (
        runs.join(used, "run")
        .groupBy("job", "user")
        .agg(
            f.count("run").alias("runs"),
            f.sum(f.when(f.col("status") != "finished", 1).otherwise(0)).alias("not_finished"),
            (f.sum("cpu") / 3600).alias("cpu_hours"),
            f.max("peak").alias("peak_mib"),
            (1 - f.sum(f.when(f.col("requested_memory_mib").isNotNull(), f.col("peak"))) / f.sum("requested_memory_mib")).alias("memory_not_used"),
        )
        .orderBy("job", "user")
    )


def main():
    spark = SparkSession.builder.appName("rtrack").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for row in jobs(spark, sys.argv[1]).collect():
        print(json.dumps(row.asDict()))
    spark.stop()


main()
